import { z } from 'zod'
import { patient } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Step } from '#platform/jobs/job-type.ts'
import { namesAt } from '../move/dns.ts'
import { removeParked } from '../move/remove-copy.ts'
import { defineSiteJob, type SiteInput, siteInput } from '../site-job.ts'

const steps: Step<SiteInput, Record<string, never>>[] = [
  {
    name: 'Asking DNS where the names lead',
    async run(context) {
      const { here } = await namesAt(context, context.input.slug, context.input.serverId)
      if (here.length > 0)
        throw new Problem(
          'conflict',
          `DNS still leads ${here.join(', ')} to the old server. Change the records first, or visitors lose the site.`,
        )
    },
  },
  {
    name: 'Removing the parked copy',
    final: true,
    run: context => removeParked(context, context.input.slug),
  },
]

/** The server is the old one: that is where the work is. */
export const siteMoveFinalize = defineSiteJob<SiteInput, Record<string, never>, Record<string, never>>({
  type: 'site.moveFinalize',
  label: 'Finish a move',
  description: 'Removes the parked copy of a moved site from its old server, which then forwards visitors no more.',
  input: z.strictObject(siteInput),
  result: z.strictObject({}),
  steps: steps.map(patient),
  finish: () => ({}),
})
