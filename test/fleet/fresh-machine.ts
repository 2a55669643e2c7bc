import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { inRepository } from '../../src/cli/repository.ts'
import { type Ended, run, tryRun } from './run.ts'
import type { Vps } from './vps.ts'

/** A blank machine onto which someone has copied the repository. */
export interface FreshMachine {
  vps: Vps
  /** Runs the launcher there as root. */
  fleetpress(...words: string[]): Promise<Ended>
  /** Runs a shell text there that has to succeed; returns what it printed. */
  shell(text: string, input?: string): Promise<string>
}

const FOLDER = '/opt/fleetpress'
const UP_LIMIT_MS = 10 * 60_000
const FILES = 'git ls-files -z --cached --others --exclude-standard'

/** What is asked for over TLS may be signed by an authority that only the machine below knows. */
const TRUST = 'cat > /usr/local/share/ca-certificates/below.crt && update-ca-certificates > /dev/null 2>&1'
const ALL_AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

const npmSetting = async (name: string): Promise<string> => {
  const { stdout } = await tryRun('npm', ['config', 'get', name])
  return ['', 'null', 'undefined'].includes(stdout.trim()) ? '' : stdout.trim()
}

/** npm there asks the same registry as npm here. */
const bringNpmSettings = async (shell: FreshMachine['shell']): Promise<void> => {
  const authorities = process.env.NODE_EXTRA_CA_CERTS || (await npmSetting('cafile'))
  if (authorities !== '') await shell(TRUST, readFileSync(authorities, 'utf8'))
  const lines = [`registry=${await npmSetting('registry')}`, `cafile=${ALL_AUTHORITIES}`]
  await shell('cat > ~/.npmrc', `${lines.join('\n')}\n`)
}

export const freshMachine = async (vps: Vps): Promise<FreshMachine> => {
  const shell = async (text: string, input = ''): Promise<string> => {
    const { exitCode, stdout, stderr } = await vps.exec(['bash', '-c', text], { input, timeoutMs: UP_LIMIT_MS })
    assert.equal(exitCode, 0, `${text}: ${stdout}${stderr}`)
    return stdout.trim()
  }
  const packed = await run('bash', ['-c', `cd "$0" && ${FILES} | tar --null -T - -c | base64`, inRepository()])
  await shell(`mkdir -p ${FOLDER} && base64 -d | tar -x -C ${FOLDER}`, packed)
  await bringNpmSettings(shell)
  return {
    vps,
    shell,
    fleetpress: (...words) => vps.exec(['env', '-C', FOLDER, './fleetpress', ...words], { timeoutMs: UP_LIMIT_MS }),
  }
}
