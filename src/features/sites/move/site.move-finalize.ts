import { z } from 'zod'
import { Problem } from '#platform/contract/problem.ts'
import type { Step } from '#platform/jobs/job-type.ts'
import { defineSiteJob, type SiteInput, siteInput } from '../site-job.ts'
import { namesAt } from './dns.ts'
import { removeParked } from './remove-copy.ts'

const steps: Step<SiteInput, Record<string, never>>[] = [
  {
    id: 'check-dns',
    label: 'Checking DNS',
    async run(context) {
      const { here } = await namesAt(context, context.input.slug, context.input.serverId)
      if (here.length > 0)
        throw new Problem(
          'conflict',
          `${here.join(', ')} still points to the old server. Change the DNS records first.`,
        )
    },
  },
  {
    id: 'remove-parked-copy',
    label: 'Deleting the old copy',
    final: true,
    run: context => removeParked(context, context.input.slug),
  },
]

/** The server is the old one: that is where the work is. */
export const siteMoveFinalize = defineSiteJob<SiteInput, Record<string, never>, Record<string, never>>({
  type: 'site.moveFinalize',
  label: 'Finish move',
  description: 'Deletes the old copy of a moved site. The old server then stops forwarding visitors.',
  input: z.strictObject(siteInput),
  result: z.strictObject({}),
  steps,
  finish: () => ({}),
})
