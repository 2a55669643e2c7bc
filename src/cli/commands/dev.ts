import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { EXIT, errnoOf, Failure } from '../failure.ts'
import { inRepository, NODE, NODE_FLAGS, ROOT } from '../repository.ts'
import { say } from '../terminal.ts'
import { installMissing } from '../test/install.ts'
import { PACKAGES } from '../test/packages.ts'
import { showSteps } from '../up/steps.ts'

const MOST = 20
const STDIN = 0

const readKey = (file: string): string => {
  try {
    const key = readFileSync(file === '-' ? STDIN : file, 'utf8').trim()
    if (/^(ssh|ecdsa)-\S+ \S+/.test(key) && !key.includes('\n')) return key
  } catch (error) {
    throw new Failure(`The key can't be read (${errnoOf(error)}): choose a file with a public key.`, EXIT.usage)
  }
  throw new Failure(`${file} contains no public key: it should be one line that starts with ssh-.`, EXIT.usage)
}

/** The product does not import tests, so what lies with them runs as its own program. */
const runProgram = (file: string, words: string[] = []): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(NODE, [...NODE_FLAGS, inRepository('test', file), ...words], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.once('error', reject)
    child.once('close', code => resolve(code ?? EXIT.failure))
  })

interface FleetOptions {
  name: string
  suite: string
  authorize?: string
}

export const devFleet = async (count: string, options: FleetOptions): Promise<void> => {
  const { name, suite } = options
  const isStop = count === 'stop'
  if (!isStop && !(/^\d{1,2}$/.test(count) && Number(count) >= 1 && Number(count) <= MOST))
    throw new Failure(`Enter the number of servers, from 1 to ${MOST}, or stop.`, EXIT.usage)
  if (!/^[a-z0-9][a-z0-9-]{0,30}$/.test(name))
    throw new Failure('The name of a fleet can have up to 31 lowercase letters, digits and hyphens.', EXIT.usage)
  const key = options.authorize === undefined ? [] : [readKey(options.authorize)]
  if (!isStop) {
    const steps = showSteps(process.stderr)
    await steps('Packages', note => note(installMissing(PACKAGES.fleet).join(', ') || 'all installed'))
  }
  process.exitCode = await runProgram('fleet/dev.ts', isStop ? ['stop', name] : ['start', name, count, suite, ...key])
}

/** Writes the description of the API as the contracts have it now. */
export const devOpenApi = async (): Promise<void> => {
  const { openApiText } = await import('#app/openapi.ts')
  const file = inRepository('openapi.json')
  const before = readFileSync(file, 'utf8')
  const text = openApiText()
  if (text === before) return say('openapi.json is up to date.')
  writeFileSync(file, text)
  say('Wrote openapi.json. Review the changes with `git diff openapi.json`.')
}

/** Writes which hooks there are, who raises and who answers them. */
export const devHooks = async (): Promise<void> => {
  process.exitCode = await runProgram('generated/hooks-page.ts')
}
