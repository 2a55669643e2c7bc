import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { ServerId } from '#platform/contract/identifiers.ts'
import { JobAccepted } from '#platform/contract/job.ts'

export const LEFTOVER_KINDS = ['container', 'network', 'folder', 'database', 'account', 'certificate'] as const

/** Something on a server that belongs to no site of this panel. */
export const Leftover = z.object({
  kind: z.enum(LEFTOVER_KINDS),
  name: z.string(),
  removable: z.boolean().describe("whether it carries the panel's label; anything else is only reported"),
})
export type Leftover = z.infer<typeof Leftover>

/** A job that could not finish or undo what it did on the server, and tries again until it can. */
export const WaitingJob = z.object({
  jobId: z.string(),
  label: z.string(),
  siteSlug: z.string().nullable(),
  step: z.string().nullable(),
  problem: z.string().nullable(),
})
export type WaitingJob = z.infer<typeof WaitingJob>

export const upkeep = contract({
  leftoverList: {
    method: 'GET',
    path: '/api/servers/:id/leftovers',
    level: 'read-only',
    summary: 'What is on a server but belongs to no site, as it was last checked, and jobs that still clean up there',
    params: z.object({ id: ServerId }),
    reply: z.object({
      checkedAt: z.number().nullable().describe('null until the server was checked for the first time'),
      items: z.array(Leftover),
      waiting: z.array(WaitingJob),
    }),
  },
  leftoverRemove: {
    method: 'POST',
    path: '/api/servers/:id/leftovers/remove',
    level: 'full',
    job: true,
    destructive: true,
    summary: "Remove what carries the panel's label on a server and belongs to no site",
    params: z.object({ id: ServerId }),
    reply: JobAccepted,
  },
})
