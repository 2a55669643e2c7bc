import { z } from 'zod'
import { findContainer, restartContainer } from '#drivers/docker/containers.ts'
import { waitHealthy } from '#drivers/docker/ensure-container.ts'
import { dockerOf } from '#features/stack/index.ts'
import { missingContainer } from '../missing-container.ts'
import { siteName } from '../network.ts'
import { defineSiteJob, type SiteInput, siteInput, siteOf } from '../site-job.ts'

export const siteRestart = defineSiteJob<SiteInput, Record<string, never>, Record<string, never>>({
  type: 'site.restart',
  label: 'Restart site',
  description: 'Restarts the container of a site.',
  input: z.strictObject(siteInput),
  result: z.strictObject({}),
  steps: [
    {
      id: 'restart-container',
      label: 'Restarting the container',
      async run(context) {
        const { slug, server_id } = await siteOf(context)
        const docker = dockerOf(context.hosts.get(server_id))
        const { signal } = context
        if ((await findContainer(docker, siteName(slug), { signal })) === undefined) throw missingContainer()
        await restartContainer(docker, siteName(slug), { signal })
        await waitHealthy(docker, siteName(slug), { signal })
      },
    },
  ],
  finish: () => ({}),
})
