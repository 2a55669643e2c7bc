import { checkRepository } from '#drivers/restic/restic.ts'
import { pump, type SiteRow } from '#features/sites/index.ts'
import { type Argv, exec } from '#platform/host/command.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { listBackups, moveBackups } from '../backup-store.ts'
import { withRepository } from '../repository/open-repository.ts'
import { placeFolder } from '../repository/paths.ts'

const LIMIT_MS = 6 * 3_600_000
const PACK = ['tar', '--create', '--format=posix', '--numeric-owner', '--file=-'] as const
const UNPACK: Argv = ['tar', '--extract', '--numeric-owner', '--same-permissions', '--file=-']

/**
 * The backups follow their site. They are complete on the new server before the rows say so and the old ones go: cut off
 * anywhere, it can be done again.
 */
export const followSite = async (work: StepScope, site: SiteRow, fromServerId: number): Promise<void> => {
  const { slug, server_id: serverId } = site
  const rows = await listBackups(work.db, { siteSlug: slug, serverId: fromServerId })
  const isHereToo = (await listBackups(work.db, { siteSlug: slug, serverId })).length > 0
  if (isHereToo && rows.length > 0)
    return work.say('Both servers have backups of this site. Those of the old server stay where they are.')
  const from = await placeFolder(work.db, { slug, serverId: fromServerId })
  const oldHost = work.hosts.get(fromServerId)
  if (rows.some(row => row.snapshot_id !== null)) await copyRepository(work, site, { from, fromServerId })
  await moveBackups(work.db, slug, { from: fromServerId, to: serverId })
  await oldHost.run(exec('rm', '-rf', '--one-file-system', '--', from), { timeoutMs: LIMIT_MS })
  if (rows.length > 0) work.say(`${rows.length} backups moved along.`)
}

const copyRepository = async (
  work: StepScope,
  { slug, server_id: serverId }: SiteRow,
  { from, fromServerId }: { readonly from: string; readonly fromServerId: number },
): Promise<void> => {
  const [oldHost, host] = [work.hosts.get(fromServerId), work.hosts.get(serverId)]
  const to = await placeFolder(work.db, { slug, serverId })
  await host.run(exec('rm', '-rf', '--one-file-system', '--', to), { timeoutMs: LIMIT_MS })
  await host.makeDir(to, { mode: 0o700 })
  await pump(
    (onStdout, signal) =>
      oldHost.stream(exec(...PACK, '-C', from, 'repository'), { onStdout, signal, timeoutMs: LIMIT_MS }),
    (stdin, signal) => host.run(exec(...UNPACK, '-C', to), { stdin, signal, timeoutMs: LIMIT_MS }),
    work.signal,
  )
  await withRepository(work, { slug, serverId }, { purpose: work.jobId }, ({ repository }) =>
    checkRepository(repository, { readData: true }),
  )
}
