import type { SiteRow } from '#features/sites/index.ts'
import { runCli } from '#features/wordpress/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { Check, Read, Word } from '../steps/contract.ts'
import { askWordpress, jsonIn } from './ask-wordpress.ts'
import { resolveJson, resolveWord, type Values } from './resolve.ts'

/** A recipe on its way through a site. */
export interface RecipeWork {
  readonly scope: Pick<StepScope, 'hosts' | 'signal'>
  readonly site: SiteRow
  readonly values: Values
}

/** The words of a command, and what it reads. */
export const commandOf = (values: Values, { args, stdin }: { args: Word[]; stdin?: Word[] | undefined }) => ({
  args: args.map(word => String(resolveWord(values, word))),
  stdin: stdin && `${stdin.map(word => String(resolveWord(values, word))).join('\n')}\n`,
})

const readFrom = async ({ scope, site, values }: RecipeWork, read: Read): Promise<unknown> => {
  if (read.kind === 'option') return (await askWordpress(scope, site, { op: 'read-option', option: read.option })).found
  if (read.kind === 'rest') return (await askWordpress(scope, site, restOf(values, read))).found
  const { args, stdin } = commandOf(values, read)
  const { stdout } = await runCli(scope, site, args, stdin)
  return jsonIn(stdout) ?? stdout.trim()
}

export const restOf = (values: Values, call: { method: string; route: string; body?: unknown }) => ({
  op: 'rest' as const,
  method: call.method,
  route: call.route,
  ...(call.body !== undefined && { body: resolveJson(values, call.body) }),
})

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      inner !== null && typeof inner === 'object' && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  )

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Whether it is so, and what was found. */
export const runCheck = async (work: RecipeWork, check: Check): Promise<{ isSo: boolean; said: string }> => {
  const whole = await readFrom(work, check.read)
  const found = at(whole, check.path)
  const wanted = check.value === undefined ? '' : String(resolveWord(work.values, check.value))
  const isSo = {
    equals: () => asText(found) === wanted,
    differs: () => asText(found) !== wanted,
    contains: () => asText(found).includes(wanted),
    exists: () => found !== undefined && found !== null,
  }[check.operator]()
  return { isSo, said: asText(whole) }
}
