import { checksumDatabase, type DatabaseChecksum } from '#drivers/mariadb/checksum.ts'
import { databaseSize, dropDatabase } from '#drivers/mariadb/databases.ts'
import { withLongStatements } from '#drivers/mariadb/long-statements.ts'
import { dump, load } from '#drivers/mariadb/programs.ts'
import { besideDatabase, withDatabase } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import { databaseLogin, databaseNameOf, ensureSiteDatabase } from '../site-database.ts'
import type { SiteRow } from '../site-store.ts'
import { pump } from './pump.ts'

type Work = Pick<StepContext, 'db' | 'secrets' | 'hosts' | 'signal'>

/** Every row is read; a shop with years of orders has gigabytes of them. */
const READING_LIMIT_MS = 30 * 60_000
const COPY_LIMIT_MS = 2 * 3_600_000

/** Into a database that is recreated, while the site may be writing into its own. */
export const copyDatabase = async (work: Work, from: SiteRow, to: SiteRow): Promise<void> => {
  await withDatabase(work, to.server_id, db => dropDatabase(db, databaseNameOf(to.slug)), { signal: work.signal })
  await ensureSiteDatabase(work, to)
  await transfer(work, from, to)
}

const transfer = (work: Work, from: SiteRow, to: SiteRow, tables: readonly string[] = []) => {
  const { name, password, database } = databaseLogin(work, from)
  const what = (signal: AbortSignal) => ({ login: { name, password }, database, tables, signal })
  const copy = () =>
    pump(
      (write, signal) => dump(besideDatabase(work.hosts.get(from.server_id)), what(signal), write),
      (source, signal) => load(besideDatabase(work.hosts.get(to.server_id)), what(signal), source),
      work.signal,
    )
  return withDatabase(work, from.server_id, db => withLongStatements(db, name, copy), {
    signal: work.signal,
    timeoutMs: COPY_LIMIT_MS,
  })
}

const checksum = (work: Work, site: SiteRow): Promise<DatabaseChecksum> =>
  withDatabase(work, site.server_id, db => checksumDatabase(db, databaseNameOf(site.slug)), {
    signal: work.signal,
    timeoutMs: READING_LIMIT_MS,
  })

/** The tables that differ, while no one writes; all of them when some are gone. Resolves to their number. */
export const copyChangedTables = async (work: Work, from: SiteRow, to: SiteRow): Promise<number> => {
  const [wanted, there] = await Promise.all([checksum(work, from), checksum(work, to)])
  const isGone = [...there.parts.keys()].some(name => !wanted.parts.has(name))
  const changed = [...wanted.parts].filter(([name, part]) => there.parts.get(name) !== part).map(([name]) => name)
  if (isGone) await copyDatabase(work, from, to)
  else if (changed.length > 0) await transfer(work, from, to, changed)
  const isSame = there.sha256 === wanted.sha256 || (await checksum(work, to)).sha256 === wanted.sha256
  if (!isSame)
    throw new Problem('conflict', 'The database on the new server differs from the original. Nothing was changed.')
  return isGone ? wanted.parts.size : changed.length
}

export const readDatabaseSize = (work: Work, site: SiteRow): Promise<number> =>
  withDatabase(work, site.server_id, db => databaseSize(db, databaseNameOf(site.slug)), { signal: work.signal })
