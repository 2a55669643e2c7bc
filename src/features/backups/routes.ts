import { getSite, siteToChange } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { countBackups, getBackup, listBackups, listBackupsById } from './backup-store.ts'
import type { backups } from './contract.ts'
import { backupCreate } from './create/backup.create.ts'
import { downloadOf } from './download.ts'
import { changePolicy, findPolicy } from './policy/policy-store.ts'
import { backupDelete } from './remove/backup.delete.ts'
import { startRestore } from './restore/start-restore.ts'
import { showBackups } from './show-backup.ts'
import { failureOf, listStandings } from './standing.ts'

const flagOf = (value: number | null): boolean | null => (value === null ? null : value === 1)

export const backupRoutes: Handlers<typeof backups> = {
  async backupList({ query: { limit, offset, ...filter } }, scope) {
    const { db } = scope
    const items = await showBackups(scope, await listBackups(db, filter, { limit, offset }))
    return { items, ...(await countBackups(db, filter)) }
  },

  async backupIdList({ query }, { db }) {
    return { ids: (await listBackups(db, query)).map(({ id }) => id) }
  },

  backupSiteList: async (_, scope) => ({ items: await listStandings(scope) }),

  async siteBackupList({ params: { slug } }, scope) {
    const { db } = scope
    await getSite(db, slug)
    const items = await showBackups(scope, await listBackups(db, { siteSlug: slug }))
    const policy = await findPolicy(db, slug)
    return {
      items,
      enabled: flagOf(policy.backups_enabled),
      offsiteEnabled: flagOf(policy.offsite_enabled),
      failure: await failureOf(db, slug),
    }
  },

  async backupCreate({ params: { slug }, body: { note = '' } }, scope) {
    const { server_id: serverId } = await siteToChange(scope, slug)
    return { job: await scope.jobs.enqueue(backupCreate, { slug, serverId, type: 'manual', note }) }
  },

  backupDownload: ({ params: { id } }, scope) => downloadOf(scope, id),

  backupRestore: async ({ params, body }, scope) => ({ job: await startRestore(scope, params.id, body) }),

  async siteBackupsSet({ params: { slug }, body: { enabled } }, { db }) {
    await getSite(db, slug)
    await changePolicy(db, slug, { backups_enabled: enabled === null ? null : Number(enabled) })
    return { enabled }
  },

  async backupCopy({ params }, scope) {
    const backup = await getBackup(scope.db, params.id)
    return { job: await scope.events.ask(scope, 'backupCopying', { backup }) }
  },

  async backupFetch({ params, body: { destinationId } }, scope) {
    const backup = await getBackup(scope.db, params.id)
    return { job: await scope.events.ask(scope, 'backupFetching', { backup, destinationId }) }
  },

  async siteOffsiteSet({ params: { slug }, body: { enabled } }, scope) {
    await getSite(scope.db, slug)
    await changePolicy(scope.db, slug, { offsite_enabled: enabled === null ? null : Number(enabled) })
    return { enabled, job: await scope.events.ask(scope, 'siteOffsiteChanged', { siteSlug: slug }) }
  },

  async backupBulkDelete({ body }, { db, jobs }) {
    const ids = [...new Set(body.ids)]
    const rows = await listBackupsById(db, ids)
    const missing = ids.filter(id => !rows.some(row => row.id === id))
    if (missing.length > 0)
      throw new Problem('not_found', `${missing.length} of these backups do not exist. Refresh the list.`, { missing })
    const serverIds = [...new Set(rows.map(row => row.server_id))]
    return { job: await jobs.enqueue(backupDelete, { ids, serverIds, keepCopies: false }) }
  },
}
