import { systemActor } from '#app/world.ts'
import { JOB_PAGES } from '#features/jobs/index.ts'
import { latestOf } from '#features/monitor/latest.ts'
import type { Sample } from '#features/monitor/read-sample.ts'
import { insertSamples } from '#features/monitor/sample-store.ts'
import { changeServer, insertServer } from '#features/servers/server-store.ts'
import { stackVersion } from '#features/stack/version.ts'
import { JOB_STATUSES, type JobStatus } from '#platform/contract/job.ts'
import { newId } from '#platform/db/id.ts'
import { insertJob, type JobRow } from '#platform/jobs/job-store.ts'
import { insertLogLines } from '#platform/jobs/log-store.ts'
import type { TestPanel } from '../support/panel.ts'
import { fillAccess } from './full-access.ts'
import { fillBackups } from './full-backups.ts'
import { fillBlocks } from './full-blocks.ts'
import { fillCatalog } from './full-catalog.ts'
import { fillConnections } from './full-connections.ts'
import { fillFtp } from './full-ftp.ts'
import { fillMail } from './full-mail.ts'
import { fillProtection } from './full-protection.ts'
import { fillScans } from './full-scans.ts'
import { containersOn, liveSites } from './full-sites.ts'
import { addBatchItems, BATCH_ID, knowVulnerabilities } from './full-wordpress.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const GIB = 1024 ** 3
const NAMES = ['hel1-web-01', 'hel1-web-02', 'fsn1-web-01', 'fsn1-shop-01', 'nbg1-staging']
const TITLES = [
  'Bakery Sunrise',
  'Alpine Tours',
  'Studio Nord',
  'Café Mirabelle',
  'Harbor Law',
  'Green Roofs',
  'Pixel & Ink',
]
const KINDS = [
  { type: 'site.create', label: 'Create site', category: 'sites', step: 'Copying WordPress' },
  { type: 'site.restart', label: 'Restart the site', category: 'sites', step: 'Starting the container' },
  { type: 'server.provision', label: 'Set up server', category: 'servers', step: 'Copying the images' },
  { type: 'panel.snapshot', label: 'Create panel snapshot', category: 'panel', step: 'Writing the checksum' },
] as const
const CARRYING = JSON.stringify({ done: 300 * 1024 ** 2, total: 900 * 1024 ** 2, unit: 'bytes' })
const FAULT = 'The server has no more room: 212 MB are free and 900 MB are needed. Free some space, then start again.'

/** A number between 0 and 1 that is the same in every run. */
const dice = (seed: number): number => {
  const value = Math.sin(seed * 127.1) * 43_758.5453
  return value - Math.floor(value)
}

const pick = <T>(list: readonly T[], seed: number): T => list[Math.floor(dice(seed) * list.length)] as T

const sampleOf = (seed: number): Sample => ({
  uptimeSeconds: 86_400 * 31,
  load1: dice(seed) * 3,
  load5: dice(seed + 1) * 3,
  load15: dice(seed + 2) * 3,
  cpus: 4,
  cpuShare: dice(seed) * 0.6,
  memTotalBytes: 8 * GIB,
  memUsedBytes: (0.3 + dice(seed + 3) * 0.5) * 8 * GIB,
  swapTotalBytes: 0,
  swapUsedBytes: 0,
  diskTotalBytes: 160 * GIB,
  diskUsedBytes: (seed === 3 ? 0.94 : 0.2 + dice(seed + 4) * 0.5) * 160 * GIB,
  netInBytesPerSecond: dice(seed + 5) * 4e6,
  netOutBytesPerSecond: dice(seed + 6) * 9e6,
  containers: [],
})

const addServers = async ({ world, foundation: { database } }: TestPanel, now: number) => {
  const current = await stackVersion(world.scope(systemActor('test')))
  const own = { status: 'ready', stack_version: current, last_seen_at: now, provisioned_at: now - 90 * DAY_MS } as const
  await changeServer(database.db, 1, own)
  for (const [index, name] of NAMES.entries()) {
    const isNew = index === NAMES.length - 1
    const { id } = await insertServer(database.db, {
      name,
      ssh_host: `192.0.2.${index + 10}`,
      ssh_port: 22,
      ssh_user: 'root',
      host_key: null,
      public_ip: `192.0.2.${index + 10}`,
      dev_domain: `${name}.example.net`,
      dns_provider: 'none',
      acme_email: 'ops@example.com',
      backup_root: '/srv/fleetpress/backups',
      status: isNew ? 'new' : 'ready',
      problem: null,
      sealed_database_password: null,
      // One of them was set up by an older panel.
      stack_version: index === 1 ? null : current,
      last_seen_at: isNew ? null : now,
      provisioned_at: isNew ? null : now - 90 * DAY_MS,
      created_at: now - 90 * DAY_MS,
      deleted_at: null,
    })
    if (!isNew) await insertSamples(database.db, historyOf(`server:${id}`, index, now))
  }
}

const historyOf = (subject: `server:${number}` | `site:${string}`, seed: number, now: number) =>
  Array.from({ length: 360 }, (_, minute) => {
    const wave = 0.25 + 0.15 * Math.sin(minute / 40 + seed) + 0.1 * dice(minute * 7 + seed)
    return {
      subject,
      step_minutes: 1,
      at: (Math.floor(now / MINUTE_MS) - minute) * MINUTE_MS,
      up_percent: 100,
      cpu_ppm: Math.round(wave * 1e6),
      cpu_max_ppm: Math.round(wave * 1.2e6),
      mem_kib: Math.round(wave * 8 * 1024 * 1024),
      mem_max_kib: Math.round(wave * 8.4 * 1024 * 1024),
      disk_mib: 42_000,
      load_percent: Math.round(wave * 400),
      load_max_percent: Math.round(wave * 480),
      net_in_kib_per_s: Math.round(wave * 900),
      net_out_kib_per_s: Math.round(wave * 2400),
    }
  })

const slugOf = (index: number) =>
  `${pick(TITLES, index)
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]+/g, '-')}-${index}`

const addSites = async ({ foundation: { database } }: TestPanel, count: number, now: number) => {
  for (let index = 0; index < count; index += 1) {
    const slug = slugOf(index)
    const isLive = dice(index + 9) > 0.4
    const serverId = 1 + (index % NAMES.length)
    await database.db
      .insertInto('site')
      .values({
        slug,
        title: pick(TITLES, index),
        status: dice(index + 2) > 0.93 ? 'stopped' : 'running',
        server_id: serverId,
        php_version: pick(['8.4', '8.2', '7.4'] as const, index),
        domain_mode: isLive ? 'live' : 'dev',
        network_index: index + 1,
        uid: 70_000 + index,
        sealed_database_password: '',
        locale: 'en_US',
        wordpress_version: pick(['6.9.1', '6.8.3', '6.9'], index),
        admin_user: 'olga',
        admin_email: 'olga@example.com',
        labels: JSON.stringify(dice(index + 5) > 0.6 ? ['client', 'shop'] : []),
        notes: '',
        created_at: now - index * 3_600_000,
      })
      .execute()
    const measured = { used_bytes: Math.round(dice(index + 3) * 9e9), used_files: 3400 + index, measured_at: now }
    const limits = { limit_mib: null, limit_files: null, stopped_at: null }
    await database.db
      .insertInto('site_disk')
      .values({ site_slug: slug, ...measured, ...limits })
      .execute()
    const hostname = isLive ? `www.${slug}.example` : `${slug}.localhost`
    await database.db
      .insertInto('site_hostname')
      .values({ hostname, site_slug: slug, position: 0, state: 'serving' })
      .execute()
  }
}

const rowOf = (seed: number, status: JobStatus, createdAt: number): JobRow => {
  const kind = pick(KINDS, seed)
  const isSite = kind.category === 'sites'
  const serverId = kind.type === 'panel.snapshot' ? 1 : 1 + (seed % NAMES.length)
  const hasStarted = status !== 'queued'
  const hasEnded = hasStarted && status !== 'running'
  return {
    id: newId(createdAt),
    type: kind.type,
    label: kind.label,
    category: kind.category,
    status,
    origin: pick(['panel', 'api', 'schedule'] as const, seed + 1),
    site_slug: isSite ? slugOf(seed % 30) : null,
    server_id: serverId,
    schedule_id: null,
    batch_id: null,
    site_lock: null,
    once_key: null,
    lanes: JSON.stringify([`server:${serverId}`]),
    started_by: pick(['Olga Owner', 'deploy key', 'nightly schedule'], seed + 2),
    input: '{}',
    state: '{}',
    result: null,
    steps: '[]',
    steps_done: hasEnded ? 9 : 4,
    steps_total: 9,
    step: status === 'running' ? kind.step : null,
    progress: status === 'running' && kind.type === 'server.provision' ? CARRYING : null,
    undoing: 0,
    cancel_requested_at: null,
    error_code: status === 'failed' ? 'disk_full' : null,
    error_message: status === 'failed' ? FAULT : null,
    error_output: null,
    worker: status === 'running' ? 'another process' : null,
    lease_until: status === 'running' ? createdAt + DAY_MS : null,
    attempt: 1,
    crashes: 0,
    retry_at: null,
    deadline_at: null,
    created_at: createdAt,
    started_at: hasStarted ? createdAt + 400 : null,
    finished_at: hasEnded ? createdAt + 400 + Math.round(dice(seed + 4) * 90_000) : null,
  }
}

/** A fleet update in the middle: one site is done, one is being updated, one could not be, two wait. */
const addBatch = async (panel: TestPanel, slugs: readonly string[], now: number) => {
  const statuses = ['succeeded', 'running', 'failed', 'queued', 'queued'] as const
  const kind = { type: 'wp.bulkTask', label: 'Change plugins and themes', category: 'wordpress' }
  for (const [index, status] of statuses.entries()) {
    const row = { ...rowOf(index, status, now - 60_000 + index), ...kind, batch_id: BATCH_ID }
    const job = { ...row, site_slug: slugs[index] ?? '', step: status === 'running' ? 'Changing the site' : null }
    await addJob(panel, job)
    await addBatchItems(panel, job.id, status)
  }
}

const LOG = ['Checking the server', 'Fetching WordPress 6.9.1', 'Creating the database', 'Writing wp-config.php']

const addJob = async ({ foundation: { database } }: TestPanel, row: JobRow) => {
  const isActive = row.status === 'queued' || row.status === 'running'
  const lanes = JSON.parse(row.lanes) as string[]
  await insertJob(database.db, row, isActive ? lanes : ['ended'])
  if (!isActive) await database.db.deleteFrom('job_lane').where('job_id', '=', row.id).execute()
  if (row.status === 'running')
    await database.db
      .insertInto('lane_hold')
      .values(lanes.map(lane => ({ lane, job_id: row.id })))
      .execute()
  const lines = Array.from({ length: row.status === 'queued' ? 0 : 40 }, (_, index) => ({
    seq: index + 1,
    at: row.created_at + index * 350,
    stream: index % 4 === 0 ? ('panel' as const) : ('stdout' as const),
    text:
      index % 4 === 0
        ? (LOG[(index / 4) % LOG.length] ?? '')
        : `  layer ${index}: ${(dice(index) * 1e9).toFixed(0)} bytes`,
  }))
  await insertLogLines(database.db, row.id, lines)
}

/** The first site in the list has backups, but not of last night. */
const failBackup = async (panel: TestPanel, now: number) => {
  const { db } = panel.foundation.database
  const { slug, server_id } = await db.selectFrom('site').selectAll().orderBy('slug').limit(1).executeTakeFirstOrThrow()
  const kind = { type: 'backup.create', label: 'Back up site', category: 'backups' }
  await addJob(panel, { ...rowOf(1, 'failed', now - 8 * 60 * MINUTE_MS), ...kind, site_slug: slug, server_id })
}

/** What the panel would find if it asked these servers, which are not there. Its own rounds find no one, so this is said again. */
export const sayServersAreUp = ({ foundation: { database } }: TestPanel): void => {
  const states = latestOf(database)
  for (const index of NAMES.keys()) {
    const id = index + 1
    const { sample, siteDiskBytes } = states.get(id) ?? { sample: null, siteDiskBytes: new Map<string, number>() }
    const containers = containersOn.get(id) ?? []
    const found = { ...(sample ?? sampleOf(index + 1)), containers }
    states.set(id, { reachable: true, at: Date.now(), sample: found, siteDiskBytes })
  }
}

/** A panel in the middle of its life: servers, sites and jobs in every state, written as the panel itself would. */
export const fillPanel = async (panel: TestPanel, { sites = 36, jobs = 90 } = {}): Promise<void> => {
  const now = Date.now()
  await addServers(panel, now)
  sayServersAreUp(panel)
  await addSites(panel, sites, now)
  await liveSites(panel)
  const ended = JOB_STATUSES.filter(status => status !== 'queued' && status !== 'running')
  for (let index = jobs; index > 0; index -= 1) {
    const status = dice(index) > 0.12 ? 'succeeded' : pick(ended, index + 3)
    await addJob(panel, rowOf(index, status, now - index * 37 * MINUTE_MS))
  }
  for (const [index, status] of (['running', 'running', 'queued', 'queued'] as const).entries()) {
    await addJob(panel, rowOf(index % 2 === 0 ? 2 : 3, status, now - 20_000 + index * 900))
  }
  await knowVulnerabilities(panel)
  await addBatch(
    panel,
    Array.from({ length: 5 }, (_, index) => slugOf(index)),
    now,
  )
  await fillProtection(panel, now)
  await fillCatalog(
    panel,
    Array.from({ length: 5 }, (_, index) => slugOf(index)),
    now,
  )
  await fillBackups(panel, now)
  await fillFtp(panel, now)
  await fillMail(panel, now)
  await failBackup(panel, now)
  await fillScans(panel, now)
  await fillAccess(panel)
  await fillConnections(panel)
  await fillBlocks(panel)
  panel.world.scope(systemActor('test')).memo(JOB_PAGES).clear()
}
