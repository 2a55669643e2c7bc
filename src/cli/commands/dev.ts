import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { EXIT, errnoOf, Failure } from '../failure.ts'
import { inRepository, NODE, NODE_FLAGS, ROOT } from '../repository.ts'
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
    throw new Failure(`The key cannot be read (${errnoOf(error)}): name a file that holds a public key.`, EXIT.usage)
  }
  throw new Failure(`${file} holds no public key: it should be one line that starts with ssh-.`, EXIT.usage)
}

/** The testbed lies with the tests, which the product does not import, so it runs as a program of its own. */
const runTestbed = (words: string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const file = inRepository('test', 'fleet', 'dev.ts')
    const child = spawn(NODE, [...NODE_FLAGS, file, ...words], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
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
    throw new Failure(`Say how many servers, from 1 to ${MOST}, or stop.`, EXIT.usage)
  if (!/^[a-z0-9][a-z0-9-]{0,30}$/.test(name))
    throw new Failure('The name of a fleet has small letters, digits and hyphens, at most 31.', EXIT.usage)
  const key = options.authorize === undefined ? [] : [readKey(options.authorize)]
  if (!isStop) {
    const steps = showSteps(process.stderr)
    await steps('Packages', note => note(installMissing(PACKAGES.fleet).join(', ') || 'all there'))
  }
  process.exitCode = await runTestbed(isStop ? ['stop', name] : ['start', name, count, suite, ...key])
}
