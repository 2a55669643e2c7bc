import { z } from 'zod'
import { stopContainer } from '#drivers/docker/containers.ts'
import { dockerOf } from '#features/servers/index.ts'
import { siteName } from '../network.ts'
import { ensureSiteRuns } from '../run-site.ts'
import { serveSites } from '../serve-site.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { changeSite } from '../site-store.ts'

export const siteStop = defineSiteJob<SiteInput, Record<string, never>, Record<string, never>>({
  type: 'site.stop',
  label: 'Stop a site',
  description: 'Stops the container of a site; it does not answer until it is started.',
  input: z.strictObject(siteInput),
  result: z.strictObject({}),
  steps: [
    {
      name: 'Stopping the container',
      async run(context) {
        const site = await siteOf(context)
        const docker = dockerOf(context.hosts.get(site.server_id))
        await changeSite(context.db, site.slug, { status: 'stopped' })
        await serveSites(context, site.server_id)
        await stopContainer(docker, siteName(site.slug), { signal: context.signal })
      },
      undo: ifThere(async (context, site) => {
        await ensureSiteRuns(context, site)
        await changeSite(context.db, site.slug, { status: 'running' })
        await serveSites(context, site.server_id)
      }),
    },
  ],
  finish: () => ({}),
})
