import { z } from 'zod'
import { findContainer, stopContainer } from '#drivers/docker/containers.ts'
import { dockerOf } from '#features/stack/index.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { findCopy, isParked } from '../move/copy-store.ts'
import { settleMove } from '../move/settle-move.ts'
import { siteName } from '../network.ts'
import { tellChanged } from '../pause-site.ts'
import { ensureSiteRuns } from '../run-site.ts'
import { ensureSiteCertificate, serveSites } from '../serve-site.ts'
import { ensureSiteDatabase } from '../site-database.ts'
import { defineSiteJob, type SiteInput, siteInput, siteOf } from '../site-job.ts'
import { changeSite, listHostnames, type SiteRow } from '../site-store.ts'
import { removeReplaced, removeUnusedWildcards } from '../wildcards.ts'
import { finishCreation } from './finish-creation.ts'
import { requireWhole } from './missing.ts'

interface State {
  change: string
  adminPassword: string
}
type ReconcileStep = Step<SiteInput, State>

const Result = z.strictObject({
  change: z.string().describe('none, started, limits, created or recreated'),
  adminPassword: onlyFor('manage', z.string().describe('of the first user, when WordPress had to be installed')),
})

const interrupted: ReconcileStep = {
  id: 'finish-interrupted',
  label: 'Finishing interrupted work',
  async run(context) {
    const site = await siteOf(context)
    const copy = await findCopy(context.db, site.slug)
    if (copy && !isParked(copy)) await settleMove(context, site, copy)
    if (site.status !== 'creating') return
    const password = await finishCreation(context, site)
    if (password !== undefined) context.state.adminPassword = password
  },
}

/** It may run anyway, such as when its server was lost while it was being stopped. */
const keepStopped = async (context: StepContext, { slug, server_id }: SiteRow): Promise<void> => {
  const docker = dockerOf(context.hosts.get(server_id))
  const found = await findContainer(docker, siteName(slug))
  if (found && found.state !== 'exited') await stopContainer(docker, siteName(slug), { signal: context.signal })
  context.say('The site is stopped. It is updated when it starts.')
}

const container: ReconcileStep = {
  id: 'compare-container',
  label: 'Checking the container',
  async run(context) {
    const site = await siteOf(context)
    await requireWhole(context, site)
    // An older panel may have given its account other limits.
    await ensureSiteDatabase(context, site)
    if (site.status === 'stopped') return keepStopped(context, site)
    context.state.change = await ensureSiteRuns(context, site)
    context.say(`Container: ${context.state.change}.`)
  },
}

const visitors: ReconcileStep = {
  id: 'compare-edge',
  label: 'Checking the routing',
  async run(context) {
    const site = await siteOf(context)
    const names = (await listHostnames(context.db, [site.slug])).get(site.slug) ?? []
    await ensureSiteCertificate(context, site, names)
    if (site.status === 'creating') await changeSite(context.db, site.slug, { status: 'running' })
    await serveSites(context, site.server_id)
    await removeReplaced(context, site, names)
    await removeUnusedWildcards(context, site.server_id)
    const copy = await findCopy(context.db, site.slug)
    if (copy) await serveSites(context, copy.server_id)
    await tellChanged(context, site.slug)
  },
}

export const siteReconcile = defineSiteJob<SiteInput, State, z.input<typeof Result>>({
  type: 'site.reconcile',
  label: 'Reconcile site',
  description: 'Recreates what differs from the current policy, finishes interrupted work, and changes nothing else.',
  input: z.strictObject({ ...siteInput, otherServerId: z.number().optional() }),
  result: Result,
  steps: [interrupted, container, visitors],
  finish: ({ change, adminPassword }) => ({ change: change ?? 'none', adminPassword: adminPassword ?? null }),
})
