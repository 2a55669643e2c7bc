import { z } from 'zod'
import { needsCertificate, removeCertificate } from '#features/certificates/index.ts'
import { deleteSamples } from '#features/monitor/index.ts'
import { ROOT } from '#features/servers/index.ts'
import { newId } from '#platform/db/id.ts'
import type { Step } from '#platform/jobs/job-type.ts'
import { removeRecords } from '../move/point-records.ts'
import { removeParked } from '../move/remove-copy.ts'
import { ensureSiteRuns, removeSiteContainer } from '../run-site.ts'
import { serveSites } from '../serve-site.ts'
import { dropSiteDatabase } from '../site-database.ts'
import { removeFiles } from '../site-files.ts'
import { defineSiteJob, ifThere, type SiteInput, siteInput } from '../site-job.ts'
import { changeSite, deleteSite, listHostnames, type SiteRow } from '../site-store.ts'

interface Input extends SiteInput {
  finalBackup?: boolean | undefined
  removeRecords?: boolean | undefined
}
interface State {
  before: SiteRow['status']
  backupId: string
}
type DeleteStep = Step<Input, State>

const Result = z.strictObject({})

const backUp: DeleteStep = {
  id: 'final-backup',
  label: 'Creating a final backup',
  run: ifThere(async (context, site) => {
    const { input, state, now, save, events, say } = context
    if (!input.finalBackup) return say('Skipped: none was requested.')
    state.backupId ??= newId(now())
    await save()
    await events.ask(context, 'siteBackup', { site, id: state.backupId, type: 'final', note: '' })
  }),
}

const close: DeleteStep = {
  id: 'close',
  label: 'Stopping traffic',
  run: ifThere(async (context, { slug, server_id, status }) => {
    context.state.before ??= status
    await context.save()
    await changeSite(context.db, slug, { status: 'deleting' })
    await serveSites(context, server_id)
  }),
  undo: ifThere(async (context, { slug, server_id }) => {
    await changeSite(context.db, slug, { status: context.state.before ?? 'running' })
    await serveSites(context, server_id)
  }),
}

const stop: DeleteStep = {
  id: 'remove-container',
  label: 'Removing the container',
  run: ifThere(removeSiteContainer),
  undo: ifThere(async (context, site) => {
    if (context.state.before === 'running' && site.missing === null) await ensureSiteRuns(context, site)
  }),
}

const erase: DeleteStep = {
  id: 'delete-data',
  label: 'Deleting files and database',
  final: true,
  run: ifThere(async (context, site) => {
    await context.events.raise(context, 'siteDeleting', { site })
    await removeRecords(context, site, context.input.removeRecords === true)
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

export const siteDelete = defineSiteJob<Input, State, z.infer<typeof Result>>({
  type: 'site.delete',
  label: 'Delete site',
  description:
    'Deletes the container, database, files, certificate and domains of a site, after a final backup if requested. Its backups stay.',
  input: z.strictObject({
    ...siteInput,
    otherServerId: z.number().optional(),
    finalBackup: z.boolean().optional(),
    removeRecords: z.boolean().optional(),
  }),
  result: Result,
  steps: [backUp, close, stop, erase],
  finish: () => ({}),
})
