import { z } from 'zod'
import { ask, defineSiteJob, ifThere, type SiteInput, siteInput } from '#features/sites/index.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { withRunningSite } from '../site-of.ts'

interface Input extends SiteInput {
  path: string
  to: string
  overwrite: boolean
}
interface State {
  files: number
  totalBytes: number
}

const LIMIT_MS = 30 * 60_000
const Unzipped = z.object({ files: z.number(), totalBytes: z.number() })
const Done = z.object({ ok: z.boolean() })

/** What is unpacked lies in a folder of the job's own until all of it is there. */
const askAs = <T>(op: string, context: StepContext<Input, State>, schema: z.ZodType<T>): Promise<T> => {
  const { jobId, input, signal, progress } = context
  const { slug, path, to, overwrite } = input
  const onProgress = (done: number, total: number) => progress({ done, total, unit: 'bytes' })
  return withRunningSite(context, slug, folder =>
    ask(folder, { op, id: jobId, path, to, overwrite }, schema, { signal, timeoutMs: LIMIT_MS, onProgress }),
  )
}

const check: Step<Input, State> = {
  id: 'check-archive',
  label: 'Checking the archive',
  async run(context) {
    Object.assign(context.state, await askAs('checkZip', context, Unzipped))
  },
}

const unpack: Step<Input, State> = {
  id: 'unpack',
  label: 'Unpacking',
  async run(context) {
    await askAs('unzip', context, Unzipped)
  },
  undo: ifThere(async context => {
    await askAs('dropUnzip', context, Done)
  }),
}

const place: Step<Input, State> = {
  id: 'place-files',
  label: 'Moving the files into place',
  final: true,
  async run(context) {
    await askAs('placeUnzip', context, Done)
    context.say(`${context.state.files ?? 0} entries extracted.`)
  },
}

export const filesExtract = defineSiteJob<Input, State, z.infer<typeof Unzipped>>({
  type: 'files.extract',
  label: 'Extract an archive',
  description: "Unpacks a .zip among a site's files. An unsafe archive is refused before anything is written.",
  input: z.strictObject({ ...siteInput, path: z.string(), to: z.string(), overwrite: z.boolean() }),
  result: Unzipped,
  steps: [check, unpack, place],
  finish: ({ files = 0, totalBytes = 0 }) => ({ files, totalBytes }),
})
