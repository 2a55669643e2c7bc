import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { ServerId, SiteSlug } from '#platform/contract/identifiers.ts'
import { JobAccepted } from '#platform/contract/job.ts'

const params = z.object({ slug: SiteSlug })

export const moveEndpoints = contract({
  siteMove: {
    method: 'POST',
    path: '/api/sites/:slug/move',
    level: 'full',
    summary:
      'Move a site to another server. It keeps all its domains. The old server forwards visitors until the move is finished. With a DNS token the panel changes its own records; the job log lists those that are left',
    job: true,
    destructive: true,
    params,
    body: z.strictObject({ targetServerId: ServerId }),
    reply: JobAccepted,
  },
  siteMoveFinalize: {
    method: 'POST',
    path: '/api/sites/:slug/move/finalize',
    level: 'full',
    summary:
      'Delete the old copy of a moved site; the old server then stops forwarding. Refused while DNS still points to the old server; runs by itself overnight once all domains point to the new one',
    job: true,
    destructive: true,
    params,
    reply: JobAccepted,
  },
})
