import { setTimeout as sleep } from 'node:timers/promises'
import { runCli } from '#features/wordpress/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import type { RecipeStep } from '../steps/contract.ts'
import { askWordpress } from './ask-wordpress.ts'
import { resolveJson, resolveWord } from './resolve.ts'
import { commandOf, type RecipeWork, restOf, runCheck } from './run-check.ts'

const PAUSE_MS = 2_000
const FIRST_ERROR = 400

/** Something that a recipe expects is not so. */
export class NotAsExpected extends CodedError {
  readonly otherwise: 'invalid' | 'expired' | 'unknown'

  constructor(otherwise: NotAsExpected['otherwise'], output: string) {
    super('not_as_expected', 'The site is not as the recipe expects.', { output })
    this.otherwise = otherwise
  }
}

const failed = (output: string) => new CodedError('step_failed', 'A step of the recipe failed.', { output })

type Run<K extends RecipeStep['kind']> = (work: RecipeWork, step: Extract<RecipeStep, { kind: K }>) => Promise<void>

const RUNS: { [K in RecipeStep['kind']]: Run<K> } = {
  'wp-cli': async ({ scope, site, values }, step) => {
    const { args, stdin } = commandOf(values, step)
    const { exitCode, stdout, stderr } = await runCli(scope, site, args, stdin)
    if (exitCode !== 0) throw failed(stderr || stdout)
  },
  option: async ({ scope, site, values }, { option, path, value }) => {
    await askWordpress(scope, site, { op: 'set-option', option, path, value: resolveJson(values, value) })
  },
  rest: async ({ scope, site, values }, step) => {
    const { status = 0, found } = await askWordpress(scope, site, restOf(values, step))
    if (status >= FIRST_ERROR) throw failed(JSON.stringify(found))
  },
  constant: async ({ scope, site, values }, { name, value }) => {
    const resolved = resolveWord(values, value)
    const isText = typeof resolved === 'string'
    await askWordpress(scope, site, { op: 'constant', name, value: String(resolved), raw: !isText })
  },
  'wait-until': async (work, { timeoutSeconds, ...check }) => {
    const until = Date.now() + timeoutSeconds * 1000
    for (;;) {
      const { isSo, said } = await runCheck(work, check)
      if (isSo) return
      if (Date.now() > until) throw new NotAsExpected('unknown', said)
      await sleep(PAUSE_MS, undefined, { signal: work.scope.signal })
    }
  },
  expect: async (work, { otherwise, ...check }) => {
    const { isSo, said } = await runCheck(work, check)
    if (!isSo) throw new NotAsExpected(otherwise, said)
  },
}

export const runStep = <S extends RecipeStep>(work: RecipeWork, step: S): Promise<void> =>
  (RUNS[step.kind] as Run<RecipeStep['kind']>)(work, step)
