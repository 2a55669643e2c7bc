import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '#platform/contract/job.ts'
import { endedOn } from '#test/support/drive-panel.ts'
import { ask } from '#test/support/move/visitors.ts'
import { warmServer } from '#test/support/warm-server.ts'
import { report } from './report.ts'

/** A smaller site for trying; the figures below are meant for a gibibyte. */
const MIB = Number(process.env.FLEETPRESS_BENCH_MIB ?? 1024)
/** How many times as large the site becomes in the end. Its files and their backup share one disk of 20 GiB. */
const GROWTH = Number(process.env.FLEETPRESS_BENCH_GROWTH ?? 6)
const FILE_KIB = 100
const SLUG = 'first'
const JOB_MS = 60 * 60_000
const IDLE_MS = 15_000
const HTML = `/srv/fleetpress/sites/${SLUG}/html`
const UPLOADS = `${HTML}/wp-content/uploads`
const REPOSITORY = `/srv/fleetpress/backups/${SLUG}/repository`
const PEER = '/srv/peer'
const DUMP = `docker exec --user root fleetpress-database mariadb-dump --no-defaults --single-transaction`
const CLIENT = 'docker exec -i --user root fleetpress-database mariadb'

/** As pictures are: of some hundred kilobytes each, and nothing can make them smaller. */
const fill = (folder: string, mib: number) => `mkdir -p ${UPLOADS}/${folder} && cd ${UPLOADS}/${folder}
head -c ${mib}M /dev/urandom | split -a 5 -b ${FILE_KIB}K - picture.
chown -R 70000:70000 . && sync`
/** About as much text as a thirtieth of the pictures. */
const ROWS = `create table texts (id int auto_increment primary key, t longtext);
insert into texts (t) select group_concat(sha2(a.seq * 1000 + b.seq, 512) separator ' ') from seq_1_to_${MIB} a, seq_1_to_250 b group by a.seq;`
/** One file of a hundred has other contents. */
const CHANGE = `cd ${UPLOADS}/some && ls | awk 'NR % 100 == 0' | while read -r file; do head -c ${FILE_KIB}K /dev/urandom > "$file"; stat -c %s "$file"; done | awk '{ sum += $1 } END { print sum }'`
const COMPETE = `rm -rf ${PEER} && mkdir ${PEER} && ${DUMP} wp_${SLUG} | gzip > ${PEER}/database.sql.gz
tar czf ${PEER}/files.tgz -C ${HTML} .`
const COMPETE_BACK = `mkdir ${PEER}/out && tar xzf ${PEER}/files.tgz -C ${PEER}/out
echo 'create database peer' | ${CLIENT} && gunzip < ${PEER}/database.sql.gz | ${CLIENT} peer`

await using house = await warmServer()
const { panel, servers, shell } = house
const api = panel.as('full')
const address = servers[0]?.address ?? ''
const hostname = `${SLUG}.${servers[0]?.name}.localhost`

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await act()
  return performance.now() - began
}
const took = async (asked: Promise<{ job: Job }>) => {
  const { status, createdAt, finishedAt, error, result } = await endedOn(panel, (await asked).job, JOB_MS)
  if (status !== 'succeeded') throw new Error(error?.message)
  return { ms: (finishedAt ?? Number.NaN) - createdAt, result: result as { backupId: string; addedBytes: number } }
}
const backUp = () => took(api.backupCreate({ params: { slug: SLUG }, body: {} }))
const bytesOf = async (path: string) => Number((await shell(`du -sb ${path} | cut -f 1`)).trim())

/** Ten visits a second; how long the slowest of twenty takes. */
const p95While = async (act: () => Promise<unknown>): Promise<number> => {
  const taken: number[] = []
  const done = new AbortController()
  const visits: Promise<void>[] = []
  const visiting = (async () => {
    while (!done.signal.aborted) {
      visits.push(timed(() => ask({ address, hostname, path: '/' })).then(ms => void taken.push(ms)))
      await sleep(100)
    }
  })()
  await act().finally(() => done.abort())
  await visiting
  await Promise.all(visits)
  return taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? Number.NaN
}

await shell(fill('some', MIB))
await shell(`echo "${ROWS}" | ${CLIENT} wp_${SLUG}`)
const peerMs = await timed(() => shell(COMPETE))
const peerBytes = await bytesOf(PEER)
const first = await backUp()
const firstBytes = await bytesOf(REPOSITORY)
const unchanged = await backUp()
const changedBytes = Number((await shell(CHANGE)).trim())
const changed = await backUp()
const params = { id: first.result.backupId }
const restored = await took(api.backupRestore({ params, body: { skipSafetyCopy: true } }))
const peerBackMs = await timed(() => shell(COMPETE_BACK))
await shell(`rm -rf ${PEER} && mkdir -p /srv/elsewhere`)
const disk = { provider: 'local' as const, config: { path: '/srv/elsewhere' }, secrets: {} }
await api.destinationCreate({ body: { ...disk, name: 'Disk' } })
const copied = async () => {
  const { result } = await backUp()
  const { items } = await api.jobList({ query: { type: 'backup.offsite' } })
  const [job] = items
  if (!job) throw new Error('nothing copies the backup')
  const { startedAt, finishedAt, status } = await endedOn(panel, job, JOB_MS)
  if (status !== 'succeeded') throw new Error(`${result.backupId} was not copied`)
  return (finishedAt ?? Number.NaN) - (startedAt ?? Number.NaN)
}
const firstCopyMs = await copied()
const copyMs = await copied()
console.log(`the first copy offsite took ${Math.round(firstCopyMs)} ms`)
await shell('rm -rf /srv/elsewhere')
const [destination] = (await api.destinationList()).items
await api.destinationDelete({ params: { id: destination?.id ?? '' }, query: {} })
await p95While(() => sleep(IDLE_MS / 3))
const idleMs = await p95While(() => sleep(IDLE_MS))
await shell(fill('busy', MIB))
const busyMs = await p95While(backUp)
const more = (GROWTH - 2) * MIB
await shell(fill('more', more))
const large = await backUp()

const byHand = { name: 'mariadb-dump | gzip and tar czf', value: peerMs }
report('backups', [
  { name: 'the first backup', unit: 'ms', ours: first.ms, peer: byHand, limit: { atMost: 0.25 } },
  {
    name: 'its size',
    unit: 'bytes',
    ours: firstBytes,
    peer: { name: 'the archives', value: peerBytes },
    limit: { atMost: 1.05 },
  },
  { name: 'a backup of what did not change', unit: 'ms', ours: unchanged.ms, peer: byHand, limit: { atMost: 0.04 } },
  { name: 'what it adds', unit: 'bytes', ours: unchanged.result.addedBytes, limit: { atMost: 100_000 } },
  {
    name: 'what a backup adds after 1 % changed',
    unit: 'bytes',
    ours: changed.result.addedBytes,
    peer: { name: 'what was changed', value: changedBytes },
    limit: { atMost: 2 },
  },
  {
    name: 'a restore',
    unit: 'ms',
    ours: restored.ms,
    peer: { name: 'tar xzf and mariadb <', value: peerBackMs },
    limit: { atMost: 0.5 },
  },
  { name: 'copying an unchanged site offsite', unit: 'ms', ours: copyMs, limit: { atMost: 3000 } },
  {
    name: `a backup, for each MiB of ${more}`,
    unit: 'ms',
    ours: large.ms / more,
    peer: { name: `for each of ${MIB}`, value: first.ms / MIB },
    limit: { atMost: 1.2 },
  },
  {
    name: 'a visit during a backup, the slowest of twenty',
    unit: 'ms',
    ours: busyMs,
    peer: { name: 'without', value: idleMs },
    limit: { atMost: 1.5 },
  },
])
