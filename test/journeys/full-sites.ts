import { insertCertificate } from '#features/certificates/certificate-store.ts'
import { latestOf } from '#features/monitor/latest.ts'
import type { ContainerUse } from '#features/monitor/read-sample.ts'
import { insertSamples } from '#features/monitor/sample-store.ts'
import { newId } from '#platform/db/id.ts'
import type { TestPanel } from '../support/panel.ts'
import { readSites } from './full-wordpress.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const MIB = 1024 ** 2
const MEASURED = 60
/** So many have a whole day behind them. */
const BUSY = 3
const DAY_MINUTES = 1_440
const STACK = ['database', 'database-proxy', 'edge', 'relay']
const WITHOUT_EDGE = 4
const PATHS = ['/', '/menu/', '/wp-login.php', '/shop/cart/', '/wp-content/uploads/2026/11/bread.webp']

const containerOf = (slug: string, seed: number): ContainerUse => ({
  id: String(seed).padStart(64, '0'),
  name: `fleetpress-site-${slug}`,
  siteSlug: slug,
  stackPart: null,
  up: seed % 31 !== 7,
  cpuShare: ((seed * 37) % 90) / 1000,
  memBytes: (60 + ((seed * 53) % 240)) * MIB,
  memLimitBytes: 512 * MIB,
  pids: 9,
})

/** One server has lost its edge. */
const stackPartOf = (part: string, serverId: number): ContainerUse => ({
  ...containerOf(part, serverId),
  name: `fleetpress-${part}`,
  siteSlug: null,
  stackPart: part,
  up: serverId !== WITHOUT_EDGE || part !== 'edge',
})

const historyOf = (slug: string, seed: number, now: number) =>
  Array.from({ length: seed < BUSY ? DAY_MINUTES : 61 }, (_, minute) => {
    const wave =
      0.02 + 0.015 * Math.sin(minute / (seed < BUSY ? 180 : 7) + seed) + (((minute * 13 + seed) % 17) / 17) * 0.02
    return {
      subject: `site:${slug}` as const,
      step_minutes: 1,
      at: (Math.floor(now / MINUTE_MS) - minute) * MINUTE_MS,
      up_percent: 100,
      cpu_ppm: Math.round(wave * 1e6),
      cpu_max_ppm: Math.round(wave * 1.6e6),
      mem_kib: Math.round((120 + wave * 900) * 1024),
      mem_max_kib: Math.round((130 + wave * 1100) * 1024),
      disk_mib: 420,
      load_percent: null,
      load_max_percent: null,
      net_in_kib_per_s: null,
      net_out_kib_per_s: null,
    }
  })

const addTraffic = async ({ foundation: { database } }: TestPanel, slug: string, now: number) => {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const rows = Array.from({ length: DAY_MINUTES }, (_, at) => {
    const requests = Math.round(30 + 25 * Math.sin(at / 180) + ((at * 7) % 11))
    const failed = at % 9 === 0 ? 4 : 0
    return {
      site_slug: slug,
      step_minutes: 1,
      at: minute - at * MINUTE_MS,
      requests,
      bytes: requests * 21_000,
      status_1xx: 0,
      status_2xx: requests - failed,
      status_3xx: 0,
      status_4xx: failed,
      status_5xx: 0,
      cache_hits: Math.round(requests * 0.7),
    }
  })
  await database.db.insertInto('site_traffic').values(rows).execute()
  const hour = Math.floor(now / (60 * MINUTE_MS)) * 60 * MINUTE_MS
  const paths = PATHS.map((path, at) => ({ site_slug: slug, at: hour, path, requests: 900 - at * 160, bytes: 9e6 }))
  await database.db.insertInto('site_traffic_path').values(paths).execute()
}

const addCertificate = ({ foundation: { database } }: TestPanel, serverId: number, names: string, now: number) =>
  insertCertificate(database.db, {
    id: newId(now),
    server_id: serverId,
    names,
    status: 'valid',
    sealed_key: null,
    chain_pem: null,
    not_before: now - 20 * DAY_MS,
    not_after: now + 70 * DAY_MS,
    renew_at: now + 40 * DAY_MS,
    renewal_window: null,
    renewal_check_at: null,
    serial: null,
    issuer: "Let's Encrypt R11",
    pushed_serial: null,
    order_url: null,
    order_sealed_key: null,
    problem: null,
    attempts: 0,
    next_attempt_at: null,
    updated_at: now,
    created_at: now - 20 * DAY_MS,
  })

/** By server: what the panel would find running there if it could ask. */
export const containersOn = new Map<number, readonly ContainerUse[]>()

/** Gives the sites of a panel what they have after a while: use, history, traffic, certificates, a label and notes. */
export const liveSites = async (panel: TestPanel): Promise<void> => {
  const { database } = panel.foundation
  const now = Date.now()
  const sites = await database.db.selectFrom('site').selectAll().orderBy('slug').execute()
  const states = latestOf(database)
  for (const [id, state] of states) {
    const own = sites.filter(({ server_id }) => server_id === id)
    const containers = [
      ...STACK.map(part => stackPartOf(part, id)),
      ...own.map(({ slug, network_index }) => containerOf(slug, network_index)),
    ]
    const disks = new Map(own.map(({ slug, network_index }) => [slug, (200 + network_index) * MIB]))
    containersOn.set(id, containers)
    if (state.sample) states.set(id, { ...state, sample: { ...state.sample, containers }, siteDiskBytes: disks })
  }
  for (const [seed, { slug }] of sites.slice(0, MEASURED).entries())
    await insertSamples(database.db, historyOf(slug, seed, now))
  await readSites(
    panel,
    sites.slice(0, MEASURED).map(({ slug }) => slug),
  )
  const names = await database.db.selectFrom('site_hostname').selectAll().where('position', '=', 0).execute()
  for (const { slug, server_id, domain_mode } of sites.slice(0, BUSY)) {
    await addTraffic(panel, slug, now)
    const primary = names.find(({ site_slug }) => site_slug === slug)?.hostname ?? ''
    if (domain_mode === 'live') await addCertificate(panel, server_id, JSON.stringify([primary]), now)
  }
}
