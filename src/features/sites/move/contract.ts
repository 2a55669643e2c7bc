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
      'Move a site to another server. It keeps its names, the one below the dev domain of the old server too: the old server forwards visitors until the move is finished, and the log of the job names the DNS records to change',
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
      'Remove what a moved site left on its old server, which then forwards no more. Refused while DNS leads a name to the old server; done by itself in the night after DNS leads every name to the new one',
    job: true,
    destructive: true,
    params,
    reply: JobAccepted,
  },
})
