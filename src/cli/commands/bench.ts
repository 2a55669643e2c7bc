import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { EXIT, Failure } from '../failure.ts'
import { ensureSshCrypto } from '../install/ssh-crypto.ts'
import { inRepository, NODE, NODE_FLAGS, ROOT } from '../repository.ts'

const ENDING = '.bench.ts'

const runOne = (file: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(NODE, [...NODE_FLAGS, file], { cwd: ROOT, stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', code => resolve(code ?? EXIT.failure))
  })

/** One after the other, so that none disturbs the figures of another; the first failure is the exit code. */
export const bench = async (name: string | undefined): Promise<void> => {
  const folder = inRepository('bench')
  const all = existsSync(folder)
    ? readdirSync(folder)
        .filter(file => file.endsWith(ENDING))
        .toSorted()
    : []
  const names = all.map(file => file.slice(0, -ENDING.length))
  const chosen = name === undefined ? names : names.filter(one => one === name)
  if (chosen.length === 0) {
    const known = names.length > 0 ? `choose one of: ${names.join(', ')}` : 'there is none in bench/ yet'
    throw new Failure(`There is no such benchmark: ${known}.`, EXIT.usage)
  }
  await ensureSshCrypto()
  const codes: number[] = []
  for (const one of chosen) codes.push(await runOne(inRepository('bench', `${one}${ENDING}`)))
  process.exitCode = codes.find(code => code !== 0) ?? EXIT.ok
}
