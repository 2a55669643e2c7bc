import { z } from 'zod'
import { bounded } from '#features/monitor/index.ts'
import { findSite, listSites, type SiteRow } from '#features/sites/index.ts'
import { syncSite } from '#features/wordpress/index.ts'
import { defineJob, type StepContext } from '#platform/jobs/job-type.ts'
import { sharedQueue } from '#platform/jobs/lane.ts'

const AT_ONCE = 8

type Fate = 'read' | 'failed' | 'skipped'
interface State {
  fates: Record<string, Fate>
}
const Result = z.strictObject({ read: z.number(), failed: z.number(), skipped: z.number() })

export const wpScanAll = defineJob<Record<string, never>, State, z.infer<typeof Result>>({
  type: 'wp.scanAll',
  label: 'Scan all sites',
  description: 'Reads the plugins, themes, core and known updates of every running site.',
  category: 'wordpress',
  timeoutMs: 60 * 60_000,
  input: z.strictObject({}),
  result: Result,
  target: () => ({}),
  lanes: () => [sharedQueue],
  steps: [{ id: 'read-sites', label: 'Reading the sites', run: context => readSites(context) }],
  finish: ({ fates = {} }) => {
    const count = (fate: Fate) => Object.values(fates).filter(each => each === fate).length
    return { read: count('read'), failed: count('failed'), skipped: count('skipped') }
  },
})

/** Side by side, across servers; a site that does not answer holds up no other. */
const readSites = async (context: StepContext<Record<string, never>, State>): Promise<void> => {
  const { db, state, progress, save } = context
  state.fates ??= {}
  const { fates } = state
  const sites = await listSites(db, { status: 'running' })
  const turn = bounded(AT_ONCE)
  const left = sites.filter(({ slug }) => !(slug in fates))
  let done = sites.length - left.length
  await Promise.all(
    left.map(site =>
      turn(async () => {
        context.signal.throwIfAborted()
        const fate = await readOne(context, site)
        fates[site.slug] = fate
        done += 1
        progress({ done, total: sites.length, unit: 'items' })
      }),
    ),
  )
  await save()
}

const readOne = async (context: StepContext, site: SiteRow): Promise<Fate> => {
  try {
    await syncSite(context, site)
    return 'read'
  } catch (error) {
    context.signal.throwIfAborted()
    // One that was stopped or deleted in the meantime is not a failure.
    if ((await findSite(context.db, site.slug))?.status !== 'running') return 'skipped'
    context.say(`${site.slug} could not be read.`)
    // It may repeat what the site said, which is not for Read only callers.
    context.output('stderr', error instanceof Error ? error.message : String(error))
    return 'failed'
  }
}
