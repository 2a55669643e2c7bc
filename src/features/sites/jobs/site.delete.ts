import { z } from 'zod'
import { deleteSamples, needsCertificate, ROOT, removeCertificate } from '#features/servers/index.ts'
import type { Step } from '#platform/jobs/job-type.ts'
import { removeParked } from '../move/remove-copy.ts'
import { ensureSiteRuns, removeSiteContainer } from '../run-site.ts'
import { serveSites } from '../serve-site.ts'
import { dropSiteDatabase } from '../site-database.ts'
import { removeFiles } from '../site-files.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput } from '../site-job.ts'
import { changeSite, deleteSite, listHostnames, type SiteRow } from '../site-store.ts'

interface State {
  before: SiteRow['status']
}
type DeleteStep = Step<SiteInput, State>

const Result = z.strictObject({})

const close: DeleteStep = {
  name: 'Closing it to visitors',
  run: ifThere(async (context, { slug, server_id, status }) => {
    context.state.before ??= status
    await changeSite(context.db, slug, { status: 'deleting' })
    await serveSites(context, server_id)
  }),
  undo: ifThere(async (context, { slug, server_id }) => {
    await changeSite(context.db, slug, { status: context.state.before ?? 'running' })
    await serveSites(context, server_id)
  }),
}

const stop: DeleteStep = {
  name: 'Removing the container',
  run: ifThere(removeSiteContainer),
  undo: ifThere(async (context, site) => {
    if (context.state.before === 'running') await ensureSiteRuns(context, site)
  }),
}

const erase: DeleteStep = {
  name: 'Deleting files and database',
  final: true,
  run: ifThere(async (context, site) => {
    await removeParked(context, site.slug)
    await removeFiles(context, site)
    await dropSiteDatabase(context, site)
    const names = (await listHostnames(context.db, [site.slug])).get(site.slug) ?? []
    const secured = names.filter(needsCertificate)
    if (secured.length > 0) await removeCertificate(context, { serverId: site.server_id, rootDir: ROOT }, secured)
    await deleteSamples(context.db, `site:${site.slug}`)
    await deleteSite(context.db, site.slug)
  }),
}

export const siteDelete = defineSiteJob<SiteInput, State, z.infer<typeof Result>>({
  type: 'site.delete',
  label: 'Delete a site',
  description: 'Removes container, database, files, certificate and names of a site.',
  input: z.strictObject({ ...siteInput, otherServerId: z.number().optional() }),
  result: Result,
  steps: [close, stop, erase],
  finish: () => ({}),
})
