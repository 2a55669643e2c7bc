import { z } from 'zod'
import { stopContainer } from '#drivers/docker/containers.ts'
import { dockerOf } from '#features/servers/index.ts'
import { siteName } from '../network.ts'
import { ensureSiteRuns } from '../run-site.ts'
import { serveSites } from '../serve-site.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { changeSite, type SiteRow } from '../site-store.ts'

interface State {
  before: SiteRow['status']
}

export const siteStart = defineSiteJob<SiteInput, State, Record<string, never>>({
  type: 'site.start',
  label: 'Start a site',
  description: 'Starts the container of a stopped site.',
  input: z.strictObject(siteInput),
  result: z.strictObject({}),
  steps: [
    {
      name: 'Starting the container',
      async run(context) {
        const site = await siteOf(context)
        context.state.before ??= site.status
        await ensureSiteRuns(context, site)
        await changeSite(context.db, site.slug, { status: 'running' })
        await serveSites(context, site.server_id)
      },
      undo: ifThere(async (context, site) => {
        if (context.state.before === 'running') return
        await changeSite(context.db, site.slug, { status: 'stopped' })
        await serveSites(context, site.server_id)
        await stopContainer(dockerOf(context.hosts.get(site.server_id)), siteName(site.slug))
      }),
    },
  ],
  finish: () => ({}),
})
