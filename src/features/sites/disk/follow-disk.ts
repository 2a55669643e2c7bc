import { defaultDiskLimit } from '#features/stack/index.ts'
import { findActiveJobOfSite } from '#platform/jobs/job-store.ts'
import type { Scope } from '#platform/scope.ts'
import { changeSite, listSites } from '../site-store.ts'
import { limitFile, limitText, readDiskFiles } from './disk-files.ts'
import { limitOf } from './disk-limit.ts'
import { changeDisk, listDisks, noDisk } from './disk-store.ts'

type Work = Pick<Scope, 'db' | 'hosts' | 'settings'>

/** Keeps what the disk watch of a server found, also that it stopped a site, and brings limits there that were changed since. */
export const followDisk = async (
  scope: Work,
  { serverId, signal }: { serverId: number; signal: AbortSignal },
): Promise<void> => {
  const host = scope.hosts.get(serverId)
  const found = await readDiskFiles(host, signal)
  const defaults = await defaultDiskLimit(scope)
  const rows = await listDisks(scope.db)
  for (const { slug, status } of await listSites(scope.db, { serverId })) {
    const { limit, use, full } = found.get(slug) ?? {}
    // A site that is being created has none yet.
    if (limit === undefined) continue
    const row = rows.get(slug) ?? noDisk(slug)
    const wanted = limitText(limitOf(row, defaults))
    if (limitText(limit) !== wanted) await host.writeFile(limitFile(slug), wanted, { mode: 0o644 })
    const seen = {
      used_bytes: use?.bytes ?? null,
      used_files: use?.files ?? null,
      measured_at: use?.atMs ?? null,
      stopped_at: full?.atMs ?? null,
    }
    const isNews = row.measured_at !== seen.measured_at || row.stopped_at !== seen.stopped_at
    if (isNews) await changeDisk(scope.db, slug, seen)
    // A job that runs may be about to start it again.
    if (full && status === 'running' && !(await findActiveJobOfSite(scope.db, slug)))
      await changeSite(scope.db, slug, { status: 'stopped' })
  }
}
