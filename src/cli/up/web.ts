import { spawn } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Failure } from '../failure.ts'
import { hashFiles } from '../panel/fingerprint.ts'
import { withLock } from '../panel/lock.ts'
import { inRepository, NODE, ROOT } from '../repository.ts'

const SOURCES = ['src/web', 'src/features', 'src/platform/contract', 'vite.config.ts', 'package-lock.json']

const isWebSource = (path: string): boolean =>
  !path.includes('.test.') &&
  (!path.startsWith('src/features/') || /^src\/features\/[^/]+\/(?:web\/|(?:[^/]+\/)?contract\.ts$)/.test(path))

/** Names what the browser interface is built from. */
export const webStamp = (root = ROOT): string => hashFiles(root, SOURCES, isWebSource)

const stampFile = inRepository('dist', 'web', '.stamp')

const isBuilt = (stamp: string): boolean => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp

const runVite = (outDir: string): Promise<string | undefined> =>
  new Promise(resolve => {
    const words = [inRepository('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--outDir', outDir, '--emptyOutDir']
    const child = spawn(NODE, words, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    const output: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => output.push(part))
    child.stderr.on('data', (part: Buffer) => output.push(part))
    child.once('error', error => resolve(error.message))
    child.once('close', code => resolve(code === 0 ? undefined : Buffer.concat(output).toString('utf8')))
  })

/** Builds next to what is served and swaps, so that a running panel never serves half of it. */
const build = async (stamp: string): Promise<void> => {
  const next = inRepository('dist', 'web.next')
  const old = inRepository('dist', 'web.old')
  const problem = await runVite(next)
  if (problem !== undefined) {
    throw new Failure(
      `${problem.trimEnd()}\nCouldn't build the browser interface: undo your changes to src/web, or report the lines above.`,
    )
  }
  writeFileSync(`${next}/.stamp`, stamp)
  rmSync(old, { recursive: true, force: true })
  if (existsSync(inRepository('dist', 'web'))) renameSync(inRepository('dist', 'web'), old)
  renameSync(next, inRepository('dist', 'web'))
  rmSync(old, { recursive: true, force: true })
}

/** Builds the browser interface unless exactly this one is built. */
export const ensureWeb = async (): Promise<'built' | 'already built'> => {
  const stamp = webStamp()
  if (isBuilt(stamp)) return 'already built'
  return withLock(inRepository('dist', 'web.lock'), async () => {
    if (isBuilt(stamp)) return 'already built'
    await build(stamp)
    return 'built'
  })
}
