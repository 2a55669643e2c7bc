import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { archiveArgv } from '#drivers/restic/restic.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Download } from '#platform/http/bytes/download.ts'
import type { Scope } from '#platform/scope.ts'
import { type BackupRow, getBackup } from './backup-store.ts'
import { SITE } from './create/take-snapshot.ts'
import { withRepository } from './repository/open-repository.ts'

const LIMIT_MS = 12 * 3_600_000

/** One archive, put together on the way: nothing of it is kept on the server or in the panel. */
export const downloadOf = async (scope: Scope, id: string): Promise<Download> => {
  const row = await getBackup(scope.db, id)
  if (row.snapshot_id === null)
    throw new Problem('conflict', 'This backup is only offsite. Fetch it back first, then download it.')
  const day = new Date(row.created_at).toISOString().slice(0, 16).replaceAll(':', '')
  return { filename: `${row.site_slug}-${day}.tar`, open: () => open(scope, row, row.snapshot_id ?? '') }
}

const open = async (scope: Scope, row: BackupRow, snapshotId: string): Promise<PassThrough> => {
  const bytes = new PassThrough()
  const left = new AbortController()
  bytes.once('close', () => left.abort(new Error('the reader has left')))
  const write = async (chunk: Buffer) => {
    if (!bytes.write(chunk)) await once(bytes, 'drain', { signal: left.signal })
  }
  const place = { slug: row.site_slug, serverId: row.server_id }
  const started = Promise.withResolvers<void>()
  const sent = withRepository({ ...scope, signal: left.signal }, place, {}, async ({ repository, run }) => {
    started.resolve()
    await run(archiveArgv(repository, snapshotId, SITE), { onStdout: write, timeoutMs: LIMIT_MS })
  })
  sent.then(
    () => bytes.end(),
    (error: unknown) => {
      started.reject(error)
      bytes.destroy(error instanceof Error ? error : new Error('the archive ended'))
    },
  )
  // Anyone who reads the bytes sees the failure there.
  bytes.on('error', () => {})
  await started.promise
  return bytes
}
