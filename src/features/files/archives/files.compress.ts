import { z } from 'zod'
import { ask, defineSiteJob, ifThere, type SiteFolder, type SiteInput, siteInput } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { withRunningSite } from '../site-of.ts'
import { SpokenEntry } from '../spoken-entry.ts'

interface Input extends SiteInput {
  paths: string[]
  to: string
  overwrite: boolean
}
interface State {
  files: number
  skipped: number
}
type Context = StepContext<Input, State>

const LIMIT_MS = 30 * 60_000
const Zipped = z.object({ files: z.number(), skipped: z.number() })
const Changed = z.object({ entry: SpokenEntry })
const Deleted = z.object({ deleted: z.number() })

/** The archive under a name of the job's own, next to what it becomes. */
const draftOf = ({ jobId, input: { to } }: Context): string =>
  `${to.slice(0, to.lastIndexOf('/') + 1)}.fleetpress-zip-${jobId}`

const isThere = (folder: SiteFolder, path: string): Promise<boolean> =>
  ask(folder, { op: 'stat', path }, SpokenEntry).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem && error.code === 'not_found') return false
      throw error
    },
  )

const pack: Step<Input, State> = {
  id: 'pack',
  label: 'Packing',
  run: context =>
    withRunningSite(context, context.input.slug, async folder => {
      const { input, signal, state, say } = context
      if (!input.overwrite && (await isThere(folder, input.to)))
        throw new Problem('conflict', 'The archive exists already. Choose another name, or allow overwriting.')
      const request = { op: 'zip', paths: input.paths, to: draftOf(context), overwrite: true }
      Object.assign(state, await ask(folder, request, Zipped, { signal, timeoutMs: LIMIT_MS }))
      if (state.skipped) say(`${state.skipped} links and special files were left out.`)
    }),
  undo: ifThere(context =>
    withRunningSite(context, context.input.slug, async folder => {
      if (await isThere(folder, draftOf(context)))
        await ask(folder, { op: 'delete', paths: [draftOf(context)] }, Deleted)
    }),
  ),
}

const name: Step<Input, State> = {
  id: 'name-archive',
  label: 'Giving the archive its name',
  final: true,
  run: context =>
    withRunningSite(context, context.input.slug, async folder => {
      const { to, overwrite } = context.input
      // It has its name already where this step was cut off before.
      if (!(await isThere(folder, draftOf(context))) && (await isThere(folder, to))) return
      await ask(folder, { op: 'move', path: draftOf(context), to, overwrite }, Changed)
    }),
}

const Result = Zipped.extend({ path: z.string() })

export const filesCompress = defineSiteJob<Input, State, z.infer<typeof Result>>({
  type: 'files.compress',
  label: 'Compress files',
  description: 'Packs files and folders of a site into a .zip next to them.',
  input: z.strictObject({ ...siteInput, paths: z.array(z.string()), to: z.string(), overwrite: z.boolean() }),
  result: Result,
  steps: [pack, name],
  finish: ({ files = 0, skipped = 0 }, { to }) => ({ path: to, files, skipped }),
})
