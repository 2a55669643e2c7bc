import { dumpFilesProgram, loadFilesProgram } from '#drivers/mariadb/dump-files.ts'
import { withLongStatements } from '#drivers/mariadb/long-statements.ts'
import { restoreFolder } from '#drivers/restic/restic.ts'
import { beginDatabase, databaseLogin, recreateDatabase, type SiteRow, socketView } from '#features/sites/index.ts'
import { withDatabase } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { exec } from '#platform/host/command.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { BackupRow } from '../backup-store.ts'
import { SITE } from '../create/take-snapshot.ts'
import { type Opened, withRepository } from '../repository/open-repository.ts'
import { placeFolder, placeOf, workFolder, workInside } from '../repository/paths.ts'

const LIMIT_MS = 4 * 3_600_000
/** Of a script that did not find the table with this number; its other exit codes are lower. */
const FIRST_MISSING = 100

/** Words: the folder, then tables. Deletes every file but the first, which prepares the session, and those of the tables. */
const KEEP_TABLES = `set -e
cd -- "$0"
shopt -s nullglob
kept=(00000-begin.sql)
number=${FIRST_MISSING}
for table in "$@"; do
  line="-- Table structure for table \\\`\${table//\\\`/\\\`\\\`}\\\`"
  mapfile -t found < <(grep --files-with-matches --line-regexp --fixed-strings -- "$line" *.sql)
  if [ \${#found[@]} -eq 0 ]; then exit $number; fi
  kept+=("\${found[0]}")
  number=$((number + 1))
done
for file in *.sql; do
  printf '%s\\0' "\${kept[@]}" | grep --quiet --null-data --line-regexp --fixed-strings -- "$file" || rm -- "$file"
done`

/** The dump of the backup, where it waits until the site is stopped. */
export const unpackDatabase = async (
  opened: Opened,
  work: StepScope,
  row: BackupRow,
  tables: readonly string[],
): Promise<void> => {
  const target = `${workInside(work.jobId)}/database`
  await restoreFolder(opened.repository, { snapshotId: row.snapshot_id ?? '', path: `${SITE}/database`, target })
  if (tables.length === 0) return
  const { exitCode } = await opened.repository.run(['bash', '-c', KEEP_TABLES, target, ...tables])
  const missing = tables[exitCode - FIRST_MISSING]
  if (missing !== undefined) throw new Problem('not_found', `There is no table ${missing} in this backup.`)
  if (exitCode !== 0) throw new Error('the files of the tables could not be selected')
}

const withProgram = async (
  work: StepScope,
  site: SiteRow,
  program: typeof dumpFilesProgram,
  folder: string,
): Promise<void> => {
  const { name, password, database } = databaseLogin(work, site)
  const { argv, stdin } = program({ login: { name, password }, database }, `${workInside(work.jobId)}/${folder}`)
  const opening = { purpose: work.jobId, mounts: [socketView(site)] }
  await withRepository(work, placeOf(site), opening, opened =>
    withDatabase(
      work,
      site.server_id,
      db => withLongStatements(db, name, () => opened.run(argv, { stdin, timeoutMs: LIMIT_MS })),
      { signal: work.signal, timeoutMs: LIMIT_MS },
    ),
  )
}

/** The database as it is now, for the way back. The site is stopped, so nothing is lost. */
export const keepDatabase = async (work: StepScope, site: SiteRow): Promise<void> => {
  const host = work.hosts.get(site.server_id)
  const folder = `${workFolder(await placeFolder(work.db, placeOf(site)), work.jobId)}/before`
  await host.run(exec('rm', '-rf', '--', folder))
  await host.makeDir(folder, { mode: 0o700 })
  await withProgram(work, site, dumpFilesProgram, 'before')
}

/**
 * Some tables take the place of those there are; a whole dump comes into a database that is recreated. The database is
 * marked before the first statement, and stays so until the caller knows that everything is in place.
 */
export const replaceDatabase = async (
  work: StepScope,
  site: SiteRow,
  { from, isWhole }: { readonly from: 'database' | 'before'; readonly isWhole: boolean },
): Promise<void> => {
  await (isWhole ? recreateDatabase(work, site) : beginDatabase(work, site))
  await withProgram(work, site, loadFilesProgram, from)
}
