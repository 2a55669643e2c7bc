import { z } from 'zod'
import { retryWhileAway } from '#features/servers/index.ts'
import { SiteSlug } from '#platform/contract/identifiers.ts'
import { defineJob, type JobType, type Step, type StepContext } from '#platform/jobs/job-type.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import { findSite, getSite, type SiteRow } from './site-store.ts'

/** What every job on one site is told. The server is part of it, because lanes are chosen before anything runs. */
export interface SiteInput {
  slug: string
  serverId: number
  /** Where it has something as well, so nothing else may be done there in the meantime. */
  otherServerId?: number | undefined
}

export const siteInput = { slug: SiteSlug, serverId: z.number() }

interface SiteJob<I extends SiteInput, State, R>
  extends Pick<JobType<I, State, R>, 'type' | 'label' | 'description' | 'withdraw'> {
  timeoutMs?: number
  /** `sites` if absent. */
  category?: string
  input: z.ZodType<I>
  result: z.ZodType<R>
  steps: readonly Step<I, State>[]
  finish(state: Partial<State>, input: I): R
}

/** A job that works on one site of one server, one at a time, and is patient with a server that is down. */
export const defineSiteJob = <I extends SiteInput, State, R>(job: SiteJob<I, State, R>): JobType<I, State, R> =>
  defineJob({
    timeoutMs: 30 * 60_000,
    category: 'sites',
    ...job,
    steps: job.steps.map(retryWhileAway),
    target: ({ slug, serverId }) => ({ siteSlug: slug, serverId }),
    lanes: ({ serverId, otherServerId = serverId }) => [...new Set([serverId, otherServerId])].map(serverLane),
  })

export const siteOf = ({ db, input }: StepContext<SiteInput>): Promise<SiteRow> => getSite(db, input.slug)

/** For what is done to a site that may be gone already. */
export const ifThere =
  <I extends SiteInput, State>(act: (context: StepContext<I, State>, site: SiteRow) => Promise<void>) =>
  async (context: StepContext<I, State>): Promise<void> => {
    const site = await findSite(context.db, context.input.slug)
    if (site) await act(context, site)
  }
