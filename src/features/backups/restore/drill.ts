import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { findContainer } from '#drivers/docker/containers.ts'
import { dropContainer, ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { loadFilesProgram } from '#drivers/mariadb/dump-files.ts'
import { type Beside, ensureAdmin } from '#drivers/mariadb/programs.ts'
import { restoreFolder } from '#drivers/restic/restic.ts'
import { containerBeside, databaseLogin, listHostnames, type SiteRow, siteImageFor } from '#features/sites/index.ts'
import { containerOf, dockerOf, siteOwner } from '#features/stack/index.ts'
import { CodedError } from '#platform/contract/known-error.ts'
import { exec } from '#platform/host/command.ts'
import type { StepScope } from '#platform/jobs/job-type.ts'
import type { BackupRow } from '../backup-store.ts'
import { SITE } from '../create/take-snapshot.ts'
import { withRepository } from '../repository/open-repository.ts'
import { placeFolder, placeOf, removeWork, workFolder, workInside } from '../repository/paths.ts'
import { type DrillPlace, drillDatabase } from './drill-containers.ts'
import { WRITE_EVERYTHING } from './restored-files.ts'

const LIMIT_MS = 4 * 3_600_000
const START_LIMIT_MS = 5 * 60_000
const DATABASE_OWNER = '970:970'
const SYSTEM_ACCOUNTS = { root: '0:0', nobody: '65534:65534' } as const

/** Word: the hostname. Asks for the front page and says what came. */
const VISIT = `$socket = @fsockopen('127.0.0.1', 8080, $code, $text, 5);
if (!$socket) exit('{"status":0,"isPage":false}');
stream_set_timeout($socket, 120);
fwrite($socket, "GET / HTTP/1.0\\r\\nHost: $argv[1]\\r\\nX-Forwarded-Proto: https\\r\\n\\r\\n");
$answer = stream_get_contents($socket);
preg_match('~^HTTP/\\S+ (\\d+)~', $answer, $found);
echo json_encode(['status' => (int) ($found[1] ?? 0), 'isPage' => stripos($answer, '</html>') !== false]);`

const Visited = z.object({ status: z.number(), isPage: z.boolean() })

const namesOf = ({ slug }: SiteRow) => ({
  database: `fleetpress-drill-${slug}-database`,
  site: `fleetpress-drill-${slug}-site`,
})

/** Nothing of a drill is left. Harmless when there was none. */
export const endDrill = async (work: StepScope, site: SiteRow): Promise<void> => {
  const docker = dockerOf(work.hosts.get(site.server_id))
  const names = namesOf(site)
  for (const name of [names.site, names.database]) await dropContainer(docker, name)
  await removeWork(work, placeOf(site), work.jobId)
}

/**
 * Restores a backup next to its site: into a database and a container of their own, without a network. Throws unless
 * WordPress returns its front page from there.
 */
export const drill = async (work: StepScope, site: SiteRow, row: BackupRow): Promise<void> => {
  await endDrill(work, site)
  const folder = workFolder(await placeFolder(work.db, placeOf(site)), work.jobId)
  const place: DrillPlace = { folder, names: namesOf(site) }
  try {
    await unpack(work, site, { row, folder })
    await startDatabase(work, site, place)
    await load(work, site, folder)
    await visit(work, site, place)
  } finally {
    await endDrill(work, site)
  }
}

const unpack = async (
  work: StepScope,
  site: SiteRow,
  { row, folder }: { readonly row: BackupRow; readonly folder: string },
): Promise<void> => {
  const host = work.hosts.get(site.server_id)
  const inside = workInside(work.jobId)
  const { uid, gid } = siteOwner(site)
  for (const part of ['', '/files', '/database', '/data', '/run'])
    await host.makeDir(`${folder}${part}`, { mode: 0o755 })
  const opening = { purpose: work.jobId, capAdd: WRITE_EVERYTHING }
  await withRepository(work, placeOf(site), opening, async ({ repository, run }) => {
    for (const part of ['files', 'database'])
      await restoreFolder(repository, {
        snapshotId: row.snapshot_id ?? '',
        path: `${SITE}/${part}`,
        target: `${inside}/${part}`,
      })
    await run(['chown', '-hR', `${uid}:${gid}`, `${inside}/files`], { timeoutMs: LIMIT_MS })
    await run(['chown', '-R', DATABASE_OWNER, `${inside}/data`, `${inside}/run`])
  })
}

/** Its own server, so that a dump can do no harm: the account of the site may do anything there. */
const startDatabase = async (work: StepScope, site: SiteRow, place: DrillPlace): Promise<void> => {
  const { signal } = work
  const docker = dockerOf(work.hosts.get(site.server_id))
  const running = await findContainer(docker, containerOf('database'), { signal })
  if (!running) throw new CodedError('no_database', 'The database of the server does not run. Repair the server first.')
  const { name, password, database } = databaseLogin(work, site)
  await ensureContainer(docker, drillDatabase(place, running.image), { signal })
  await waitHealthy(docker, place.names.database, { signal, timeoutMs: START_LIMIT_MS })
  const beside: Beside = (argv, { user, ...options }) =>
    execIn(docker, place.names.database, argv, { ...options, user: SYSTEM_ACCOUNTS[user], timeoutMs: START_LIMIT_MS })
  await ensureAdmin(beside, { name, password }, signal)
  const create = exec('mariadb', '--no-defaults', '--user=root', '--execute', `CREATE DATABASE \`${database}\``)
  const { exitCode, stderr } = await execIn(docker, place.names.database, create.argv, { user: '0:0', signal })
  if (exitCode !== 0) throw new CodedError('drill_failed', 'The database could not be created.', { output: stderr })
}

const load = async (work: StepScope, site: SiteRow, folder: string): Promise<void> => {
  const { name, password, database } = databaseLogin(work, site)
  const { argv, stdin } = loadFilesProgram(
    { login: { name, password }, database },
    `${workInside(work.jobId)}/database`,
  )
  const mounts = [{ source: `${folder}/run`, target: '/run/mysqld', readOnly: true }]
  await withRepository(work, placeOf(site), { purpose: work.jobId, mounts }, opened =>
    opened.run(argv, { stdin, timeoutMs: LIMIT_MS }),
  )
}

const visit = async (work: StepScope, site: SiteRow, place: DrillPlace): Promise<void> => {
  const { signal } = work
  const docker = dockerOf(work.hosts.get(site.server_id))
  const [hostname = `${randomBytes(4).toString('hex')}.invalid`] =
    (await listHostnames(work.db, [site.slug])).get(site.slug) ?? []
  const parts = { name: place.names.site, files: `${place.folder}/files`, sockets: `${place.folder}/run` }
  await ensureContainer(docker, containerBeside(site, await siteImageFor(work, site), parts), { signal })
  await waitHealthy(docker, place.names.site, { signal, timeoutMs: START_LIMIT_MS })
  const argv = ['php', '-r', VISIT, '--', hostname] as const
  const { stdout, stderr } = await execIn(docker, place.names.site, argv, { signal, timeoutMs: START_LIMIT_MS })
  const { status, isPage } = Visited.parse(JSON.parse(stdout))
  const isMoved = status >= 300 && status < 400
  if (!isMoved && !(status === 200 && isPage))
    throw new CodedError('drill_failed', `WordPress does not work from this backup: it returned status ${status}.`, {
      output: stderr,
    })
  work.say(`WordPress returned status ${status} from the restored backup.`)
}
