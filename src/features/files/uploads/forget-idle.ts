import { z } from 'zod'
import { ask, findSite, runningFolder } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { deleteUpload, listIdleUploads } from './upload-store.ts'

const IDLE_MS = 3_600_000
const Done = z.object({ ok: z.boolean() })

/** Removes what no one has continued with for an hour. That of a stopped site is removed when it runs again. */
export const forgetIdleUploads = async (scope: Scope, serverId: number, signal: AbortSignal): Promise<void> => {
  for (const upload of await listIdleUploads(scope.db, scope.now() - IDLE_MS)) {
    const site = await findSite(scope.db, upload.site_slug)
    if (site?.server_id !== serverId || site.status !== 'running') continue
    const { path, id } = upload
    if (upload.is_written !== 1) await ask(runningFolder(scope, site), { op: 'forget', path, id }, Done, { signal })
    await deleteUpload(scope.db, upload)
  }
}
