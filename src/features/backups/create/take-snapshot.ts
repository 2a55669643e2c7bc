import { databaseSize } from '#drivers/mariadb/databases.ts'
import { dumpFilesProgram } from '#drivers/mariadb/dump-files.ts'
import { withLongStatements } from '#drivers/mariadb/long-statements.ts'
import { backUp, type Taken } from '#drivers/restic/back-up.ts'
import { checkRepository, ensureRepository, forgetSnapshots, listSnapshots } from '#drivers/restic/restic.ts'
import { requireRoom } from '#features/servers/index.ts'
import {
  databaseLogin,
  databaseNameOf,
  listHostnames,
  measureSite,
  requireWhole,
  type SiteRow,
  siteView,
} from '#features/sites/index.ts'
import { withDatabase } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import { listBackups } from '../backup-store.ts'
import { type Opened, withRepository } from '../repository/open-repository.ts'
import { placeFolder, placeOf, removeWork, workFolder } from '../repository/paths.ts'

/** What a snapshot holds: `files/`, `database/` with one file per table, and `site.json`. */
export const SITE = '/site'
const DUMP_LIMIT_MS = 4 * 3_600_000
/** Files that the site has closed to itself are read, too. */
const READ_EVERYTHING = ['DAC_READ_SEARCH']

/**
 * There is a site to back up, and room for it. The dump lies on the disk until it is in the repository, and the first
 * backup holds all that the site has.
 */
export const requireBackupRoom = async (work: StepScope, site: SiteRow): Promise<void> => {
  await requireWhole(work, site)
  const host = work.hosts.get(site.server_id)
  const { signal } = work
  const files = await measureSite(host, site.slug, signal)
  const [database, earlier] = await Promise.all([
    withDatabase(work, site.server_id, db => databaseSize(db, databaseNameOf(site.slug)), { signal }),
    listBackups(work.db, { siteSlug: site.slug, serverId: site.server_id }, { limit: 1, offset: 0 }),
  ])
  const storedBytes = earlier[0]?.size_bytes ?? 0
  const neededBytes = database + Math.max(0, files.bytes + database - storedBytes)
  await requireRoom(host, { folder: await placeFolder(work.db, placeOf(site)), neededBytes, signal })
}

/** Files and database in one snapshot that has the id as its tag, checked. Nothing of an earlier attempt is left. */
export const takeSnapshot = async (work: StepScope, site: SiteRow, id: string): Promise<Taken> => {
  const host = work.hosts.get(site.server_id)
  const place = placeOf(site)
  const folder = workFolder(await placeFolder(work.db, place), id)
  await removeWork(work, place, id)
  for (const part of ['', '/files', '/database']) await host.makeDir(`${folder}${part}`, { mode: 0o700 })
  await host.writeFile(`${folder}/site.json`, JSON.stringify(await describeSite(work, site), null, 2))
  const mounts = [{ source: folder, target: SITE }, ...siteView(site, `${SITE}/files`)]
  try {
    return await withRepository(work, place, { purpose: id, mounts, capAdd: READ_EVERYTHING }, async opened => {
      await ensureRepository(opened.repository)
      await forget(opened, id)
      await dumpInto(work, site, opened)
      const taken = await backUp(opened.repository, { path: SITE, host: site.slug, tag: id }, (done, total) =>
        work.progress({ done, total, unit: 'bytes' }),
      )
      await checkSnapshot(opened, id)
      return taken
    })
  } finally {
    await removeWork(work, place, id)
  }
}

const describeSite = async ({ db, now }: StepScope, site: SiteRow) => ({
  slug: site.slug,
  title: site.title,
  hostnames: (await listHostnames(db, [site.slug])).get(site.slug) ?? [],
  phpVersion: site.php_version,
  wordpressVersion: site.wordpress_version,
  takenAt: new Date(now()).toISOString(),
})

/** All tables as they were at one moment, while the site continues to write. */
const dumpInto = async (work: StepScope, site: SiteRow, opened: Opened): Promise<void> => {
  const { name, password, database } = databaseLogin(work, site)
  const { argv, stdin } = dumpFilesProgram({ login: { name, password }, database }, `${SITE}/database`)
  const dump = () => opened.run(argv, { stdin, timeoutMs: DUMP_LIMIT_MS })
  await withDatabase(work, site.server_id, db => withLongStatements(db, name, dump), {
    signal: work.signal,
    timeoutMs: DUMP_LIMIT_MS,
  })
}

const forget = async ({ repository, isAlone }: Opened, tag: string): Promise<void> => {
  const ids = (await listSnapshots(repository, tag)).map(snapshot => snapshot.id)
  if (ids.length === 0) return
  if (!isAlone) throw new Problem('conflict', 'Another backup of this site is being read. Try again when it is done.')
  await forgetSnapshots(repository, ids)
}

/** Throws unless the snapshot is there and everything it refers to. */
const checkSnapshot = async ({ repository }: Opened, id: string): Promise<void> => {
  await checkRepository(repository)
  const found = await listSnapshots(repository, id)
  if (found.length !== 1)
    throw new Problem('conflict', `The backup is incomplete: ${found.length} snapshots. Try again.`)
}

/** Harmless when it was never taken. */
export const dropSnapshot = async (work: StepScope, site: SiteRow, id: string): Promise<void> => {
  await withRepository(work, placeOf(site), { purpose: id }, opened => forget(opened, id))
  await removeWork(work, placeOf(site), id)
}
