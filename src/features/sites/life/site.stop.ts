import { z } from 'zod'
import { pauseSite, resumeSite } from '../pause-site.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'

export const siteStop = defineSiteJob<SiteInput, Record<string, never>, Record<string, never>>({
  type: 'site.stop',
  label: 'Stop site',
  description: 'Stops the container of a site. Visitors see an error until it is started.',
  input: z.strictObject(siteInput),
  result: z.strictObject({}),
  steps: [
    {
      id: 'stop-container',
      label: 'Stopping the container',
      run: async context => pauseSite(context, await siteOf(context)),
      undo: ifThere(resumeSite),
    },
  ],
  finish: () => ({}),
})
