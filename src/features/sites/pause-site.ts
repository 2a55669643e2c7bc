import { findContainer, stopContainer } from '#drivers/docker/containers.ts'
import { dockerOf } from '#features/stack/index.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { noteMissing, requireWhole } from './life/missing.ts'
import { siteName } from './network.ts'
import { ensureSiteRuns } from './run-site.ts'
import { serveSites } from './serve-site.ts'
import { changeSite, getSite, type SiteRow } from './site-store.ts'

/** Nothing of the site runs, and visitors are told so. */
export const pauseSite = async (work: StepScope, { slug, server_id }: SiteRow): Promise<void> => {
  await changeSite(work.db, slug, { status: 'stopped' })
  await serveSites(work, server_id)
  const docker = dockerOf(work.hosts.get(server_id))
  if (await findContainer(docker, siteName(slug), work)) await stopContainer(docker, siteName(slug), work)
  await tellChanged(work, slug)
}

/** It runs and serves, whatever it was before. */
export const resumeSite = async (work: StepScope, site: SiteRow): Promise<void> => {
  await requireWhole(work, site)
  await ensureSiteRuns(work, site)
  await changeSite(work.db, site.slug, { status: 'running' })
  await serveSites(work, site.server_id)
  await tellChanged(work, site.slug)
}

/** A site that is not complete has the status it had, and visitors are told that it is not there. */
export const leaveMissing = async (work: StepScope, site: SiteRow, status: SiteRow['status']): Promise<void> => {
  await noteMissing(work, site)
  await changeSite(work.db, site.slug, { status })
  await serveSites(work, site.server_id)
  await tellChanged(work, site.slug)
}

/** Tells every feature that the site is not what it was. */
export const tellChanged = async (work: StepScope, slug: string): Promise<void> => {
  await work.events.raise(work, 'siteChanged', { site: await getSite(work.db, slug) })
}
