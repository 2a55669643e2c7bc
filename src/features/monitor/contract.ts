import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { ServerId, SiteSlug, wholeNumber } from '#platform/contract/identifiers.ts'

const share = z.number().nullable().describe("share of all the server's CPUs, 0 to 1; null before the second sample")
const bytes = z.number().nullable()
const bytesPerSecond = z.number().nullable()

/** One container next to the sites: edge, database, … */
const StackUse = z.object({
  part: z.string(),
  up: z.boolean(),
  cpuShare: share,
  memBytes: bytes,
})

const ServerUse = z.object({
  serverId: z.number(),
  name: z.string(),
  at: z.number().nullable().describe('when it last responded'),
  reachable: z.boolean().nullable().describe('null until the first check'),
  uptimeSeconds: z.number().nullable(),
  load1: z.number().nullable(),
  load5: z.number().nullable(),
  load15: z.number().nullable(),
  cpus: z.number().nullable(),
  cpuShare: share,
  memTotalBytes: bytes,
  memUsedBytes: bytes.describe('memory in use, without caches'),
  swapTotalBytes: bytes,
  swapUsedBytes: bytes,
  diskTotalBytes: bytes.describe('of the disk with the sites'),
  diskUsedBytes: bytes,
  netInBytesPerSecond: bytesPerSecond,
  netOutBytesPerSecond: bytesPerSecond,
  stack: z.array(StackUse),
})

const SiteUse = z.object({
  slug: z.string(),
  serverId: z.number(),
  up: z.boolean().nullable().describe('whether its container is running; null while its server is unreachable'),
  cpuShare: share,
  memBytes: bytes.describe('without reclaimable cache'),
  memLimitBytes: bytes.describe('null without a limit'),
  diskBytes: bytes.describe('measured once an hour'),
  at: z.number().nullable(),
})

const at = z.number().describe('the start of the step, unix milliseconds')

const ServerPoint = z.object({
  at,
  cpuShare: z.number().nullable(),
  cpuShareMax: z.number().nullable(),
  memUsedBytes: bytes,
  memUsedMaxBytes: bytes,
  diskUsedBytes: bytes,
  load1: z.number().nullable(),
  load1Max: z.number().nullable(),
  netInBytesPerSecond: bytesPerSecond,
  netOutBytesPerSecond: bytesPerSecond,
})

const SitePoint = z.object({
  at,
  upShare: z.number().nullable().describe('of the step, 0 to 1'),
  cpuShare: z.number().nullable(),
  cpuShareMax: z.number().nullable(),
  memBytes: bytes,
  memMaxBytes: bytes,
  diskBytes: bytes,
})

const historyOf = <P extends z.ZodType>(point: P) =>
  z.object({
    stepSeconds: z.number(),
    points: z.array(point).describe('oldest first; a step without a sample has no point'),
  })

const query = z.object({ hours: wholeNumber(1, 168).prefault(24).describe('how many hours to look back') })

export const monitor = contract({
  monitorOverview: {
    method: 'GET',
    path: '/api/monitor/overview',
    level: 'read-only',
    summary: 'Current usage of every server and site, at most a minute old',
    reply: z.object({ servers: z.array(ServerUse), sites: z.array(SiteUse) }),
  },
  monitorServerHistory: {
    method: 'GET',
    path: '/api/monitor/servers/:id/history',
    level: 'read-only',
    summary: 'Usage history of a server: average and maximum per step',
    params: z.object({ id: ServerId }),
    query,
    reply: historyOf(ServerPoint),
  },
  monitorSiteHistory: {
    method: 'GET',
    path: '/api/monitor/sites/:slug/history',
    level: 'read-only',
    summary: 'Usage history of a site: average and maximum per step',
    params: z.object({ slug: SiteSlug }),
    query,
    reply: historyOf(SitePoint),
  },
})
