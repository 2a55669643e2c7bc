import { readFirewall } from '#drivers/nftables/firewall.ts'
import { parseNetwork, withoutCovered } from '#drivers/nftables/networks.ts'
import type { BlockedNetwork } from '#drivers/nftables/render-firewall.ts'
import type { Database } from '#platform/db/database.ts'
import type { Scope } from '#platform/scope.ts'
import { findNextExpiry } from '../block-store.ts'
import { loadEverywhere, loadServer, loadsUnderWay } from './load-servers.ts'
import { findLoad, keepDrift } from './load-store.ts'
import { NOTHING, networksFor, versionOf } from './wanted.ts'

const COMPARED_EVERY_MS = 5 * 60_000
/** Clocks differ: what ends about now may be on either side. */
const ABOUT_NOW_SECONDS = 120

const comparedAt = new WeakMap<Database, Map<number, number>>()

/** After every sample: a server that was away gets the list, and now and then what it really has is compared. */
export const keepLoaded = async (scope: Scope, { serverId }: { serverId: number }): Promise<void> => {
  const row = await findLoad(scope.db, serverId)
  const version = await versionOf(scope)
  if (row === undefined && version === NOTHING) return
  if (row?.version !== version) return loadServer(scope, serverId)
  if (row.state === 'network' && isDue(scope, serverId)) await repairDrift(scope, serverId)
}

/** Loads the list again where the server has something else. */
export const repairDrift = async (scope: Scope, serverId: number): Promise<void> => {
  if (!(await hasDrifted(scope, serverId))) return
  scope.log.warn({ serverId }, 'the firewall had other blocked addresses than it should; they are loaded again')
  await loadServer(scope, serverId)
  await keepDrift(scope.db, serverId, scope.now())
}

const isDue = ({ database, now }: Scope, serverId: number): boolean => {
  const times = comparedAt.get(database) ?? new Map<number, number>()
  comparedAt.set(database, times)
  if (now() - (times.get(serverId) ?? 0) < COMPARED_EVERY_MS) return false
  times.set(serverId, now())
  return true
}

/** Whether the firewall of a server holds something else than it should. */
const hasDrifted = async (scope: Scope, serverId: number): Promise<boolean> => {
  const wanted = await networksFor(scope)
  const found = await readFirewall(scope.hosts.get(serverId))
  if (!found) return true
  const texts = (all: readonly BlockedNetwork[]) =>
    new Set(withoutCovered(all.map(toEntry)).map(({ network }) => network.text))
  const [should, does] = [texts(wanted), texts(found.blocked)]
  const ending = texts(
    [...wanted, ...found.blocked].filter(({ timeoutSeconds = Infinity }) => timeoutSeconds < ABOUT_NOW_SECONDS),
  )
  return [...should.symmetricDifference(does)].some(text => !ending.has(text))
}

const toEntry = ({ network }: BlockedNetwork) => ({ network: parseNetwork('blocked', network) })

const LONGEST_SLEEP_MS = 60_000
const SHORTEST_SLEEP_MS = 1_000

/** Loads the list again whenever a block ends by itself: a smaller one within it may continue, and the edge counts no time. */
export const followExpiry = (scope: Scope) => {
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let expected: number | undefined
  const look = async () => {
    if (expected !== undefined && expected <= scope.now()) await loadEverywhere(scope)
    expected = await findNextExpiry(scope.db, scope.now())
  }
  const later = () => {
    if (isOver) return
    const waitMs = Math.min(LONGEST_SLEEP_MS, Math.max(SHORTEST_SLEEP_MS, (expected ?? Infinity) - scope.now()))
    timer = setTimeout(() => {
      underWay = look()
        .catch((error: unknown) => scope.log.error({ err: error }, 'blocks that ended could not be lifted'))
        .finally(later)
    }, waitMs)
    timer.unref()
  }
  let underWay: Promise<void> = Promise.resolve()
  later()
  return {
    stop: async () => {
      isOver = true
      clearTimeout(timer)
      await underWay
      await loadsUnderWay(scope)
    },
  }
}
