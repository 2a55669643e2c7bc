import { spawnSync } from 'node:child_process'
import { Failure } from '../failure.ts'

const isInstalled = (name: string): boolean => {
  const asked = spawnSync('dpkg-query', ['-W', '-f=${Status}', name], { encoding: 'utf8' })
  return asked.status === 0 && asked.stdout.trim() === 'install ok installed'
}

const aptGet = (words: string[]): { ok: boolean; output: string } => {
  const done = spawnSync('apt-get', words, {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return { ok: done.status === 0, output: `${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}` }
}

/** Package lists may be old or missing, so a first failure is answered with an update. */
const installThem = (names: string[]): { ok: boolean; output: string } => {
  const words = ['install', '-y', '--no-install-recommends', ...names]
  const first = aptGet(words)
  if (first.ok) return first
  const update = aptGet(['update'])
  return update.ok ? aptGet(words) : update
}

/** Installs what is missing; returns the names. */
export const installMissing = (wanted: string[]): string[] => {
  const missing = wanted.filter(name => !isInstalled(name))
  if (missing.length === 0) return []
  const command = `apt-get install ${missing.join(' ')}`
  if (process.getuid?.() !== 0)
    throw new Failure(`Some packages are missing, and only root can install them: run \`sudo ${command}\`.`)
  const { ok, output } = installThem(missing)
  if (!ok)
    throw new Failure(`${output.trimEnd()}\nFix the apt-get error above (command: ${command}), then run this again.`)
  return missing
}
