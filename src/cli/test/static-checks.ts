import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { inRepository, NODE, ROOT } from '../repository.ts'
import { coloursFor, out, seconds } from '../terminal.ts'
import { BEHIND_SERVERS } from './run-files.ts'

interface Check {
  name: string
  words: string[]
  isQuick?: boolean
}

/** Four, the default, look at the types that all files share four times. */
const ONE_CHECKER = ['--checkers', '1']
/** The tools in Go spend a third of their time on collecting memory unless they may take more of it. */
const GO = { GOGC: '400', GOMAXPROCS: '1' }

const tool = (name: string): string => inRepository('node_modules', '.bin', name)

const hasKnip = (): boolean => {
  const packageFile: object = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'))
  return 'knip' in packageFile || ['knip.json', 'knip.jsonc', 'knip.ts'].some(file => existsSync(inRepository(file)))
}

const checks = (): Check[] => [
  { name: 'format (biome)', words: [tool('biome'), 'check', '.'], isQuick: true },
  { name: 'lint (oxlint)', words: [tool('oxlint'), '--type-aware', '.'] },
  { name: 'types (tsc)', words: [tool('tsc'), '-p', '.', ...ONE_CHECKER] },
  { name: 'types of the browser interface (tsc)', words: [tool('tsc'), '-p', 'src/web', ...ONE_CHECKER] },
  ...(hasKnip() ? [{ name: 'unused code (knip)', words: [tool('knip')] }] : []),
]

const runCheck = ({ name, words }: Check, env: NodeJS.ProcessEnv): Promise<boolean> =>
  new Promise(resolve => {
    const startedAt = performance.now()
    // Scripts among the tools would otherwise look for the machine's own Node.
    const path = `${inRepository('node_modules', '.bin')}:${env.PATH ?? ''}`
    const child = spawn(words[0] ?? NODE, words.slice(1), {
      cwd: ROOT,
      env: { ...env, ...GO, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // They would hold up test servers, which have to answer within some time.
    if (child.pid !== undefined) setPriority(child.pid, BEHIND_SERVERS)
    const output: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => output.push(part))
    child.stderr.on('data', (part: Buffer) => output.push(part))
    child.once('error', error => output.push(Buffer.from(error.message)))
    child.once('close', code => {
      const colours = coloursFor(process.stdout)
      const time = colours.dim(seconds(performance.now() - startedAt))
      if (code === 0) out(`${colours.green('✓')} ${name} ${time}`)
      else out(`${colours.red('✗')} ${name} ${time}\n${Buffer.concat(output).toString('utf8').trimEnd()}`)
      resolve(code === 0)
    })
  })

/** All at once, or only those that take seconds; returns the names of those that found something. */
export const runStaticChecks = async (which: 'all' | 'quick', env: NodeJS.ProcessEnv): Promise<string[]> => {
  const all = checks().filter(({ isQuick }) => which === 'all' || isQuick)
  const passed = await Promise.all(all.map(check => runCheck(check, env)))
  return all.filter((_, at) => !passed[at]).map(({ name }) => name)
}
