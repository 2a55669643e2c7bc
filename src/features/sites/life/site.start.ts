import { z } from 'zod'
import { pauseSite, resumeSite } from '../pause-site.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import type { SiteRow } from '../site-store.ts'

interface State {
  before: SiteRow['status']
}

export const siteStart = defineSiteJob<SiteInput, State, Record<string, never>>({
  type: 'site.start',
  label: 'Start site',
  description: 'Starts the container of a stopped site.',
  input: z.strictObject(siteInput),
  result: z.strictObject({}),
  steps: [
    {
      id: 'start-container',
      label: 'Starting the container',
      async run(context) {
        const site = await siteOf(context)
        context.state.before ??= site.status
        await context.save()
        await resumeSite(context, site)
      },
      undo: ifThere(async (context, site) => {
        if (context.state.before !== 'running') await pauseSite(context, site)
      }),
    },
  ],
  finish: () => ({}),
})
