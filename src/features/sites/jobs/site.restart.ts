import { z } from 'zod'
import { restartContainer } from '#drivers/docker/containers.ts'
import { waitHealthy } from '#drivers/docker/ensure-container.ts'
import { dockerOf } from '#features/servers/index.ts'
import { siteName } from '../network.ts'
import { defineSiteJob, type SiteInput, siteInput, siteOf } from '../site-job.ts'

export const siteRestart = defineSiteJob<SiteInput, Record<string, never>, Record<string, never>>({
  type: 'site.restart',
  label: 'Restart a site',
  description: 'Restarts the container of a site.',
  input: z.strictObject(siteInput),
  result: z.strictObject({}),
  steps: [
    {
      name: 'Restarting the container',
      async run(context) {
        const { slug, server_id } = await siteOf(context)
        const docker = dockerOf(context.hosts.get(server_id))
        await restartContainer(docker, siteName(slug), { signal: context.signal })
        await waitHealthy(docker, siteName(slug), { signal: context.signal })
      },
    },
  ],
  finish: () => ({}),
})
