import { z } from 'zod'
import { type Started, scheduleAction } from '#features/schedules/index.ts'
import type { JobType } from '#platform/jobs/job-type.ts'
import type { EnqueueOptions } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'
import { siteRestart } from './life/site.restart.ts'
import { siteStart } from './life/site.start.ts'
import { siteStop } from './life/site.stop.ts'
import { placeOf } from './places.ts'
import type { SiteInput } from './site-job.ts'
import { getSite, listSites, type SiteRow } from './site-store.ts'

const nothing = z.strictObject({})

/** An action that is one of a site's jobs, for sites in this state. */
const jobAction = <S, R>(notes: {
  action: string
  label: string
  type: JobType<SiteInput, S, R>
  status: SiteRow['status']
}) =>
  scheduleAction({
    action: notes.action,
    label: notes.label,
    description: notes.type.description,
    level: 'manage',
    targets: 'sites',
    input: nothing,
    start: (scope, slug, { options }) => startIf(scope, slug, notes, options),
  })

const startIf = async <S, R>(
  scope: Scope,
  slug: string,
  { type, status }: { type: JobType<SiteInput, S, R>; status: SiteRow['status'] },
  options: EnqueueOptions,
): Promise<Started> => {
  const site = await getSite(scope.db, slug)
  if (site.status !== status) return { skipped: `${slug} is ${site.status}, not ${status}.` }
  return { job: await scope.jobs.enqueue(type, placeOf(site), options) }
}

const actions = [
  jobAction({ action: 'site.start', label: 'Start sites', type: siteStart, status: 'stopped' }),
  jobAction({ action: 'site.stop', label: 'Stop sites', type: siteStop, status: 'running' }),
  jobAction({ action: 'site.restart', label: 'Restart sites', type: siteRestart, status: 'running' }),
]

export const siteActions = async () => ({ actions, builtIn: [] })

/** A site is meant when any of the targets names it. */
export const scheduledSites = async (
  { db }: Scope,
  { all, servers, labels, sites }: { all: boolean; servers: number[]; labels: string[]; sites: string[] },
): Promise<string[]> => {
  const isMeant = ({ slug, server_id, labels: own }: SiteRow) =>
    all ||
    sites.includes(slug) ||
    servers.includes(server_id) ||
    (JSON.parse(own) as string[]).some(label => labels.includes(label))
  return (await listSites(db)).filter(isMeant).map(({ slug }) => slug)
}
