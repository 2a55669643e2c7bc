import { z } from 'zod'
import { ensureSiteRuns } from '../run-site.ts'
import { ensureSiteCertificate, serveSites } from '../serve-site.ts'
import { defineSiteJob, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { listHostnames } from '../site-store.ts'

interface State {
  change: string
}

const Result = z.strictObject({ change: z.string().describe('none, started, limits, created or recreated') })

export const siteReconcile = defineSiteJob<SiteInput, State, z.infer<typeof Result>>({
  type: 'site.reconcile',
  label: 'Bring a site up to date with the policy',
  description: 'Recreates what differs from the present policy, and nothing else.',
  input: z.strictObject(siteInput),
  result: Result,
  steps: [
    {
      name: 'Comparing the container',
      async run(context) {
        const site = await siteOf(context)
        if (site.status !== 'running')
          return context.say('It is stopped; it will be brought up to date when it starts.')
        context.state.change = await ensureSiteRuns(context, site)
        context.say(`The container: ${context.state.change}.`)
      },
    },
    {
      name: 'Comparing what visitors reach',
      async run(context) {
        const site = await siteOf(context)
        const names = (await listHostnames(context.db, [site.slug])).get(site.slug) ?? []
        await ensureSiteCertificate(context, site, names)
        await serveSites(context, site.server_id)
      },
    },
  ],
  finish: ({ change }) => ({ change: change ?? 'none' }),
})
