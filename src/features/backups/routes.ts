import { getSite, siteToChange } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { countBackups, listBackups, listBackupsById } from './backup-store.ts'
import type { backups } from './contract.ts'
import { backupCreate } from './create/backup.create.ts'
import { downloadOf } from './download.ts'
import { changePolicy, findPolicy } from './policy/policy-store.ts'
import { backupDelete } from './remove/backup.delete.ts'
import { startRestore } from './restore/start-restore.ts'
import { showBackups } from './show-backup.ts'
import { failureOf, listStandings } from './standing.ts'

export const backupRoutes: Handlers<typeof backups> = {
  async backupList({ query: { limit, offset, ...filter } }, { db }) {
    const items = await showBackups(db, await listBackups(db, filter, { limit, offset }))
    return { items, ...(await countBackups(db, filter)) }
  },

  async backupIdList({ query }, { db }) {
    return { ids: (await listBackups(db, query)).map(({ id }) => id) }
  },

  backupSiteList: async (_, scope) => ({ items: await listStandings(scope) }),

  async siteBackupList({ params: { slug } }, { db }) {
    await getSite(db, slug)
    const items = await showBackups(db, await listBackups(db, { siteSlug: slug }))
    const { backups_enabled: enabled } = await findPolicy(db, slug)
    return { items, enabled: enabled === null ? null : enabled === 1, failure: await failureOf(db, slug) }
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

  async backupBulkDelete({ body }, { db, jobs }) {
    const ids = [...new Set(body.ids)]
    const rows = await listBackupsById(db, ids)
    const missing = ids.filter(id => !rows.some(row => row.id === id))
    if (missing.length > 0)
      throw new Problem('not_found', `${missing.length} of these backups do not exist. Refresh the list.`, { missing })
    const serverIds = [...new Set(rows.map(row => row.server_id))]
    return { job: await jobs.enqueue(backupDelete, { ids, serverIds }) }
  },
}
