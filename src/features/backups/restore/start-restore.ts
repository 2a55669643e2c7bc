import { findSite, siteToChange } from '#features/sites/index.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { getBackup } from '../backup-store.ts'
import type { backups } from '../contract.ts'
import { backupRestore } from './backup.restore.ts'

type Asked = Request<(typeof backups)['backupRestore']>['body']

export const startRestore = async (scope: Scope, id: string, asked: Asked): Promise<Job> => {
  const backup = await getBackup(scope.db, id)
  refuseMixed(asked)
  if (!(await findSite(scope.db, backup.site_slug)))
    throw new Problem('conflict', `${backup.site_slug} was deleted. Download the backup instead.`)
  const site = await siteToChange(scope, backup.site_slug)
  if (site.created_at > backup.created_at)
    throw new Problem('conflict', `This backup is of an earlier site named ${site.slug}. Download it instead.`)
  if (backup.snapshot_id === null)
    throw new Problem('conflict', 'This backup is only offsite. Fetch it back first, then restore it.')
  if (backup.server_id !== site.server_id)
    throw new Problem('conflict', `This backup is on another server than ${site.slug}. Download it instead.`)
  const { parts, skipSafetyCopy, paths, tables, drill } = asked
  const chosen = paths.length > 0 ? 'files' : tables.length > 0 ? 'database' : parts
  const input = { slug: site.slug, serverId: site.server_id, backupId: id, skipSafetyCopy }
  return scope.jobs.enqueue(backupRestore, {
    ...input,
    parts: chosen,
    paths: distinct(paths),
    tables: distinct(tables),
    drill,
  })
}

const distinct = (names: readonly string[]) => [...new Set(names)]

const refuseMixed = ({ parts, paths, tables, drill }: Asked): void => {
  const refuse = (path: string, message: string) => {
    throw new Problem('validation_error', `The request is not valid: ${path} ${message}.`, [
      { in: 'body', path, message },
    ])
  }
  if (drill && (parts !== 'all' || paths.length + tables.length > 0)) refuse('drill', 'restores everything')
  if (paths.length > 0 && tables.length > 0) refuse('tables', "can't be combined with paths")
  if (paths.length > 0 && parts === 'database') refuse('paths', "can't be restored with parts database")
  if (tables.length > 0 && parts === 'files') refuse('tables', "can't be restored with parts files")
}
