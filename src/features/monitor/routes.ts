import { getServer, listServers } from '#features/servers/index.ts'
import type { Reply } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { monitor } from './contract.ts'
import { latestOf, type ServerState } from './latest.ts'
import { hasSamples, type Point, readHistory } from './sample-store.ts'
import { sitesOf } from './sites-of.ts'

type Overview = Reply<(typeof monitor)['monitorOverview']>
type ServerPoint = Reply<(typeof monitor)['monitorServerHistory']>['points'][number]
type SitePoint = Reply<(typeof monitor)['monitorSiteHistory']>['points'][number]

export const monitorRoutes: Handlers<typeof monitor> = {
  async monitorOverview(_, scope) {
    const states = latestOf(scope.database)
    const rows = await listServers(scope.db)
    return {
      servers: rows.map(({ id, name }) => showServer(id, name, states.get(id))),
      sites: rows.flatMap(({ id }) => showSites(id, states.get(id))),
    }
  },

  async monitorServerHistory({ params, query }, scope) {
    await getServer(scope.db, params.id)
    const { stepSeconds, points } = await readHistory(scope.db, `server:${params.id}`, query.hours, scope.now())
    return { stepSeconds, points: points.map(showServerPoint) }
  },

  async monitorSiteHistory({ params, query }, scope) {
    const subject = `site:${params.slug}` as const
    if (!(await hasSamples(scope.db, subject)))
      throw new Problem('not_found', 'There is no such site, or it has no data yet. Try again in a minute.')
    const { stepSeconds, points } = await readHistory(scope.db, subject, query.hours, scope.now())
    return { stepSeconds, points: points.map(showSitePoint) }
  },
}

/** What a server that does not answer used before says nothing about now, so it is not shown. */
const currentSample = (state: ServerState | undefined) => (state?.reachable ? state.sample : null)

const showServer = (serverId: number, name: string, state: ServerState | undefined): Overview['servers'][number] => {
  const sample = currentSample(state)
  return {
    serverId,
    name,
    at: state?.at ?? null,
    reachable: state?.reachable ?? null,
    uptimeSeconds: sample?.uptimeSeconds ?? null,
    load1: sample?.load1 ?? null,
    load5: sample?.load5 ?? null,
    load15: sample?.load15 ?? null,
    cpus: sample?.cpus ?? null,
    cpuShare: sample?.cpuShare ?? null,
    memTotalBytes: sample?.memTotalBytes ?? null,
    memUsedBytes: sample?.memUsedBytes ?? null,
    swapTotalBytes: sample?.swapTotalBytes ?? null,
    swapUsedBytes: sample?.swapUsedBytes ?? null,
    diskTotalBytes: sample?.diskTotalBytes ?? null,
    diskUsedBytes: sample?.diskUsedBytes ?? null,
    netInBytesPerSecond: sample?.netInBytesPerSecond ?? null,
    netOutBytesPerSecond: sample?.netOutBytesPerSecond ?? null,
    stack: (sample?.containers ?? []).flatMap(({ stackPart, up, cpuShare, memBytes }) =>
      stackPart === null ? [] : [{ part: stackPart, up, cpuShare, memBytes }],
    ),
  }
}

const showSites = (serverId: number, state: ServerState | undefined): Overview['sites'] =>
  [...sitesOf(state?.sample?.containers ?? [])].map(([slug, site]) => {
    const now = state?.reachable ? site : null
    return {
      slug,
      serverId,
      up: now?.up ?? null,
      cpuShare: now?.cpuShare ?? null,
      memBytes: now?.memBytes ?? null,
      memLimitBytes: now?.memLimitBytes ?? null,
      diskBytes: state?.siteDiskBytes.get(slug) ?? null,
      at: state?.at ?? null,
    }
  })

const times = (value: number | null, factor: number): number | null => (value === null ? null : value * factor)
const over = (value: number | null, divisor: number): number | null => (value === null ? null : value / divisor)

const showServerPoint = (point: Point): ServerPoint => ({
  at: point.at,
  cpuShare: over(point.cpu_ppm, 1e6),
  cpuShareMax: over(point.cpu_max_ppm, 1e6),
  memUsedBytes: times(point.mem_kib, 1024),
  memUsedMaxBytes: times(point.mem_max_kib, 1024),
  diskUsedBytes: times(point.disk_mib, 1024 ** 2),
  load1: over(point.load_percent, 100),
  load1Max: over(point.load_max_percent, 100),
  netInBytesPerSecond: times(point.net_in_kib_per_s, 1024),
  netOutBytesPerSecond: times(point.net_out_kib_per_s, 1024),
})

const showSitePoint = (point: Point): SitePoint => ({
  at: point.at,
  upShare: over(point.up_percent, 100),
  cpuShare: over(point.cpu_ppm, 1e6),
  cpuShareMax: over(point.cpu_max_ppm, 1e6),
  memBytes: times(point.mem_kib, 1024),
  memMaxBytes: times(point.mem_max_kib, 1024),
  diskBytes: times(point.disk_mib, 1024 ** 2),
})
