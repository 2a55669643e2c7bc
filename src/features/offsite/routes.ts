import { deleteLost } from '#features/backups/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { type Copy, type offsite } from './contract.ts'
import { type CopyRow, countCopies, listCopies } from './copies/copy-store.ts'
import { startPurge } from './copies/keep-house.ts'
import { copyMissing } from './copies/start-copying.ts'
import { updateDestination } from './destinations/change-destination.ts'
import { createDestination } from './destinations/create-destination.ts'
import {
  changeDestination,
  deleteDestination,
  getDestination,
  listDestinations,
} from './destinations/destination-store.ts'
import { showDestination, showDestinations } from './destinations/show-destination.ts'
import { accessOf, checkAccess, openPassphrase } from './remote/check-access.ts'
import { testStorage } from './remote/check-storage.ts'
import { folderOf } from './remote/storage-config.ts'
import { trustFirst, withHostKey } from './remote/trust-host-key.ts'

const showCopy = (row: CopyRow): Copy => ({
  id: row.id,
  backupId: row.backup_id,
  siteSlug: row.site_slug,
  status: row.status,
  error: row.error,
  sizeBytes: row.size_bytes,
  backupCreatedAt: row.backup_created_at,
  copiedAt: row.copied_at,
})

export const offsiteRoutes: Handlers<typeof offsite> = {
  destinationList: async (_, { db }) => ({ items: await showDestinations(db, await listDestinations(db)) }),

  async destinationCreate({ body }, scope) {
    const { row, passphrase } = await createDestination(scope, body)
    if (body.backfill) await copyMissing(scope)
    return { ...(await showDestination(scope.db, row)), passphrase }
  },

  destinationTry: ({ body: { provider, config, secrets, serverId } }, scope) => {
    const access = checkAccess(provider, config, secrets)
    const tested = { access: (from: number) => withHostKey(scope, from, access), passphrase: null, folder: '' }
    return testStorage(scope, tested, serverId)
  },

  async destinationTest({ params: { id }, body: { serverId } }, scope) {
    const row = await getDestination(scope.db, id)
    const access = async (from: number) => accessOf(scope.secrets, await trustFirst(scope, from, row))
    const tested = { access, passphrase: openPassphrase(scope.secrets, row), folder: folderOf(id) }
    return testStorage(scope, tested, serverId)
  },

  async destinationUpdate({ params, body }, scope) {
    const { row, passphrase } = await updateDestination(scope, params.id, body)
    const mayWantMore = body.backfill || body.enabled || body.copyTypes !== undefined
    if (mayWantMore) await copyMissing(scope)
    return { ...(await showDestination(scope.db, row)), passphrase }
  },

  async destinationPassphrase({ params }, { db, secrets }) {
    const passphrase = openPassphrase(secrets, await getDestination(db, params.id))
    if (!passphrase) throw new Problem('conflict', 'Copies at this destination are not encrypted.')
    return passphrase
  },

  async destinationCopyList({ params: { id }, query: { status, ...page } }, { db }) {
    await getDestination(db, id)
    const filter = { destinationId: id, status }
    return { items: (await listCopies(db, filter, page)).map(showCopy), total: await countCopies(db, filter) }
  },

  async destinationDelete({ params: { id }, query: { deleteRemote } }, scope) {
    const row = await getDestination(scope.db, id)
    if (row.deleting) throw new Problem('conflict', 'Its copies are being deleted already.')
    const copies = await listCopies(scope.db, { destinationId: id })
    if (deleteRemote && copies.length > 0) {
      await changeDestination(scope.db, id, { deleting: 1 })
      return { ok: true, job: await startPurge(scope, id, { copies, isAll: true }) }
    }
    await deleteDestination(scope.db, id)
    await deleteLost(
      scope,
      copies.map(copy => copy.backup_id),
    )
    return { ok: true, job: null }
  },
}
