import { listKept } from '#drivers/wordpress-org/core-cache.ts'
import type { TaskOp } from '#features/wordpress/tasks/contract.ts'
import { plugin } from '#test/support/breaking-plugins.ts'
import { endedOn } from '#test/support/drive-panel.ts'
import { siteHouse } from '#test/support/site-house.ts'
import { askMirror, serveDirectory } from '#test/support/wordpress-directory.ts'
import { startMirror } from '#test/support/wordpress-org.ts'
import { report } from './report.ts'

const SITES = 20
const FEW = 5
const JOB_MS = 30 * 60_000
/** One for each way to update it: with checks, without, and by WP-CLI. */
const PLUGINS = ['checked', 'quick', 'peer']

const mirror = await startMirror('0.0.0.0')
await using house = await siteHouse(1)
const { panel } = house
const api = panel.as('full')
const [server] = house.servers
if (!server) throw new Error('there is no server')
const slugs = Array.from({ length: SITES }, (_, at) => `site-${at}`)

const byHand = async (words: string): Promise<number> => {
  const began = performance.now()
  for (const slug of slugs) {
    const script = words.replaceAll('wp ', `docker exec fleetpress-site-${slug} wp `)
    const { exitCode, stderr } = await server.exec(['bash', '-euc', script])
    if (exitCode !== 0) throw new Error(stderr)
  }
  return performance.now() - began
}

const scan = async (): Promise<number> => {
  const { createdAt, finishedAt } = await endedOn(panel, (await api.wpScan()).job, JOB_MS)
  return (finishedAt ?? Number.NaN) - createdAt
}

const bulk = async (ops: TaskOp[], healthCheck: boolean): Promise<number> => {
  const targets = slugs.map(siteSlug => ({ siteSlug, ops }))
  const { batchId, jobs } = await api.wpFleetBulk({ body: { targets, backupFirst: false, healthCheck } })
  for (const job of jobs) await endedOn(panel, job, JOB_MS)
  const { batch, counts } = await api.wpBatch({ params: { id: batchId } })
  if (counts.done !== SITES * ops.length) throw new Error(`not all is done: ${JSON.stringify(counts)}`)
  return (batch.finishedAt ?? Number.NaN) - batch.createdAt
}

const op = (slug: string, action: TaskOp['action']): TaskOp => ({ kind: 'plugin', slug, action })

const directory = serveDirectory(mirror)
const [kept] = await listKept(`${panel.config.dataDir}/cache`)
directory.offerCore(kept?.version ?? '')
await askMirror(panel, server, mirror)
for (const slug of PLUGINS) directory.publish(plugin(slug, '1.0'))
for (const slug of slugs.slice(0, FEW)) await house.create(slug)
await scan()
const fewMs = await scan()
for (const slug of slugs.slice(FEW)) await house.create(slug)
await bulk(
  PLUGINS.flatMap(slug => [op(slug, 'install'), op(slug, 'activate')]),
  false,
)
await scan()
const scanMs = await scan()
const handScanMs = await byHand('wp plugin list; wp theme list; wp core check-update')
for (const slug of PLUGINS) directory.publish(plugin(slug, '1.1'))
const checkedMs = await bulk([op('checked', 'update')], true)
const quickMs = await bulk([op('quick', 'update')], false)
const handMs = await byHand('wp plugin update peer')
mirror.close()

const updatedByHand = { name: 'wp plugin update, site by site', value: handMs }
report('wordpress-fleet', [
  {
    name: `a scan of ${SITES} sites on one server`,
    unit: 'ms',
    ours: scanMs,
    peer: { name: 'wp plugin list, theme list and core check-update, site by site', value: handScanMs },
    limit: { atMost: 1 / 50 },
  },
  {
    name: `a scan, for each of ${SITES} sites`,
    unit: 'ms',
    ours: scanMs / SITES,
    peer: { name: `for each of ${FEW}`, value: fewMs / FEW },
    limit: { atMost: 1.2 },
  },
  {
    name: `one plugin updated on ${SITES} sites, kept aside and checked`,
    unit: 'ms',
    ours: checkedMs,
    peer: updatedByHand,
    limit: { atMost: 1 / 8 },
  },
  {
    name: `one plugin updated on ${SITES} sites, kept aside, not checked`,
    unit: 'ms',
    ours: quickMs,
    peer: updatedByHand,
    limit: { atMost: 1 / 8 },
  },
])
