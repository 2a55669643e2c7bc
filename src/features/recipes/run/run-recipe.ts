import type { SiteRow } from '#features/sites/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import { HostUnreachable } from '#platform/host/errors.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { cleanText } from '#platform/log/clean-line.ts'
import { keepLicense, type LicenseRow } from '../license-store.ts'
import { hooksOf, inputsOf, type RecipeRow } from '../recipe-store.ts'
import { type RECIPE_HOOKS, type RecipeStep, STEPS } from '../steps/contract.ts'
import { missingInputs, openValues } from '../values.ts'
import { hidingSecrets } from './hide-secrets.ts'
import type { RecipeWork } from './run-check.ts'
import { NotAsExpected, runStep } from './run-step.ts'

export type RecipeHook = (typeof RECIPE_HOOKS)[number]
type Ended = Pick<LicenseRow, 'status' | 'message'>

const LONGEST_MESSAGE = 1_000

/** Applies a recipe and checks it, or only checks it; keeps how the license stands. A step that fails is an answer, too. */
export const runRecipe = async (
  scope: StepScope,
  site: SiteRow,
  recipe: RecipeRow,
  hook: RecipeHook,
): Promise<LicenseRow['status']> => {
  const { db, jobId, now, say } = scope
  const values = await openValues(scope, recipe.id)
  const inputs = inputsOf(recipe)
  const hide = hidingSecrets(inputs, values)
  const hooks = hooksOf(recipe)
  const missing = missingInputs(inputs, new Set(values.keys()))
  const work = { scope, site, values }
  const applied =
    hook === 'verify'
      ? undefined
      : missing.length > 0
        ? { status: 'unknown' as const, message: `Inputs without a value: ${missing.join(', ')}.` }
        : await runSteps(scope, work, hooks.afterInstall, hide)
  const ended = applied ?? (await verify(scope, work, hooks.verify, hide))
  const isApplied = hook === 'afterInstall' && applied === undefined
  await keepLicense(db, {
    site_slug: site.slug,
    recipe_id: recipe.id,
    ...ended,
    checked_at: now(),
    job_id: jobId,
    ...(isApplied && { applied_at: now() }),
  })
  say(`${recipe.name} on ${site.slug}: ${ended.status}.`)
  return ended.status
}

const verify = async (
  scope: StepScope,
  work: RecipeWork,
  steps: readonly RecipeStep[],
  hide: (text: string) => string,
): Promise<Ended> => {
  if (steps.length === 0) return { status: 'unknown', message: 'This recipe has no checks.' }
  return (await runSteps(scope, work, steps, hide)) ?? { status: 'valid', message: '' }
}

/** How it failed, or nothing when all went through. */
const runSteps = async (
  scope: StepScope,
  work: RecipeWork,
  steps: readonly RecipeStep[],
  hide: (text: string) => string,
): Promise<Ended | undefined> => {
  for (const [at, step] of steps.entries()) {
    try {
      await runStep(work, step)
    } catch (error) {
      scope.signal.throwIfAborted()
      if (!(error instanceof KnownError) || error instanceof HostUnreachable) throw error
      const said = cleanText(hide(error.output || error.message), LONGEST_MESSAGE)
      scope.output('stderr', said)
      scope.say(`Step ${at + 1}, ${STEPS[step.kind].label}: ${error.message}`)
      return { status: error instanceof NotAsExpected ? error.otherwise : 'unknown', message: said }
    }
  }
  return undefined
}
