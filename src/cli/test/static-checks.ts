import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { inRepository, NODE, ROOT } from '../repository.ts'
import { coloursFor, out, seconds } from '../terminal.ts'

interface Check {
  name: string
  words: string[]
}

const tool = (name: string): string => inRepository('node_modules', '.bin', name)

const hasKnip = (): boolean => {
  const packageFile: object = JSON.parse(readFileSync(inRepository('package.json'), 'utf8'))
  return 'knip' in packageFile || ['knip.json', 'knip.jsonc', 'knip.ts'].some(file => existsSync(inRepository(file)))
}

const checks = (): Check[] => [
  { name: 'format (biome)', words: [tool('biome'), 'check', '.'] },
  { name: 'lint (oxlint)', words: [tool('oxlint'), '--type-aware', '.'] },
  { name: 'types (tsc)', words: [tool('tsc'), '-p', '.'] },
  { name: 'types of the browser interface (tsc)', words: [tool('tsc'), '-p', 'src/web'] },
  ...(hasKnip() ? [{ name: 'unused code (knip)', words: [tool('knip')] }] : []),
]

const runCheck = ({ name, words }: Check, env: NodeJS.ProcessEnv): Promise<boolean> =>
  new Promise(resolve => {
    const startedAt = performance.now()
    // Scripts among the tools would otherwise look for the machine's own Node.
    const path = `${inRepository('node_modules', '.bin')}:${env.PATH ?? ''}`
    const child = spawn(words[0] ?? NODE, words.slice(1), {
      cwd: ROOT,
      env: { ...env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
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

/** All at once; returns the names of those that found something. */
export const runStaticChecks = async (env: NodeJS.ProcessEnv): Promise<string[]> => {
  const all = checks()
  const passed = await Promise.all(all.map(check => runCheck(check, env)))
  return all.filter((_, at) => !passed[at]).map(({ name }) => name)
}
