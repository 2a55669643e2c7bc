import type { OverviewPart } from '#features/panel/index.ts'
import { listServers, type ServerRow } from '#features/servers/index.ts'
import { neededParts } from '#features/stack/index.ts'
import type { Scope } from '#platform/scope.ts'
import { latestOf, type ServerState } from './latest.ts'
import type { Sample } from './read-sample.ts'
import { lowestCpuPpm } from './sample-store.ts'
import { sitesOf } from './sites-of.ts'

type Attention = OverviewPart['attention'][number]

const SILENT_MS = 3 * 60_000
const FULL_SHARE = 0.9
/** Below this the database refuses what sites write, a few hundred MiB later. */
const LEAST_FREE_BYTES = 1024 ** 3
const BUSY_CPU_PPM = 900_000
const BUSY_MINUTES = 10

/** What Home says about servers that do not answer, lack a part of their stack, are too busy, or whose disk fills up. */
export const monitorOverview = async (scope: Scope): Promise<OverviewPart> => {
  const latest = latestOf(scope.database)
  const attention: Attention[] = []
  for (const row of await listServers(scope.db)) {
    const state = latest.get(row.id)
    attention.push(...silence(row, scope.now()))
    attention.push(...(await missingParts(scope, row, state)))
    attention.push(...fullDisk(row, state?.sample))
    attention.push(...(await busyCpu(scope, row, state)))
  }
  return { counts: {}, attention }
}

/** One that was added by a newer panel is missing until the server is set up again, and Servers says so. */
const missingParts = async (
  scope: Scope,
  { id, name, status, stack_version }: ServerRow,
  state: ServerState | undefined,
): Promise<Attention[]> => {
  if (status !== 'ready' || !state?.reachable || !state.sample) return []
  const isUpToDate = stack_version === (await scope.events.ask(scope, 'stackVersion', {}))
  const parts = new Map(state.sample.containers.map(({ stackPart, up }) => [stackPart, up]))
  const needed = await neededParts(scope, id)
  const missing = needed.filter(({ name: part }) => parts.get(part) === false || (isUpToDate && !parts.has(part)))
  if (missing.length === 0) return []
  const down = missing.map(part => part.name)
  const effects = new Set(missing.map(({ whenDown = "Its sites don't work." }) => whenDown))
  return [
    {
      // Another part that goes down is another item, also where the first was snoozed.
      id: `server-parts:${id}:${down.join('+')}`,
      severity: 'critical',
      title: `The ${inWords(down)} of ${name} ${down.length === 1 ? 'is' : 'are'} down`,
      detail: `${[...effects].join(' ')} Set up the server again to repair it.`,
      action: { label: 'Set it up again', to: `/servers/${id}/settings?ask=set-up` },
    },
  ]
}

const LIST = new Intl.ListFormat('en')
const inWords = (parts: readonly string[]): string => LIST.format(parts.map(part => part.replaceAll('-', ' ')))

const silence = ({ id, name, provisioned_at, last_seen_at }: ServerRow, now: number): Attention[] => {
  if (provisioned_at === null || now - (last_seen_at ?? 0) <= SILENT_MS) return []
  return [
    {
      id: `server-silent:${id}`,
      severity: 'critical',
      title: `${name} is unreachable`,
      detail: "It hasn't responded for several minutes.",
      action: { label: 'View details', to: `/servers/${id}` },
    },
  ]
}

const fullDisk = ({ id, name }: ServerRow, sample: Sample | null | undefined): Attention[] => {
  const total = sample?.diskTotalBytes ?? 0
  const free = total - (sample?.diskUsedBytes ?? 0)
  if (total === 0 || free >= Math.max(total * (1 - FULL_SHARE), LEAST_FREE_BYTES)) return []
  return [
    {
      id: `server-disk:${id}`,
      severity: 'critical',
      title: `The disk of ${name} is almost full`,
      detail: `${Math.round((free / total) * 100)} % free. Move the backups to another disk, or delete what you don't need.`,
      action: { label: 'View storage', to: `/servers/${id}/storage` },
    },
  ]
}

const busyCpu = async (scope: Scope, { id, name }: ServerRow, state: ServerState | undefined): Promise<Attention[]> => {
  const lowest = state?.reachable ? await lowestCpuPpm(scope.db, `server:${id}`, BUSY_MINUTES, scope.now()) : null
  if (lowest === null || lowest <= BUSY_CPU_PPM) return []
  return [
    {
      id: `server-cpu:${id}`,
      severity: 'warning',
      title: `${name} is overloaded`,
      detail: `Its CPU has been above 90 % for ${BUSY_MINUTES} minutes. ${busiestSite(state?.sample)}`,
      action: { label: 'View usage', to: `/servers/${id}` },
    },
  ]
}

const busiestSite = (sample: Sample | null | undefined): string => {
  const sites = [...sitesOf(sample?.containers ?? [])].map(([slug, { cpuShare }]) => ({ slug, share: cpuShare ?? 0 }))
  const busiest = sites.toSorted((a, b) => b.share - a.share)[0]
  return busiest && busiest.share > 0
    ? `${busiest.slug} uses the most: ${Math.round(busiest.share * 100)} %.`
    : 'No site stands out.'
}
