import { applyServerEdge } from '#features/edge/index.ts'
import { listServers, type ServerRow } from '#features/servers/index.ts'
import { loadServerFirewall } from '#features/stack/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import type { Database } from '#platform/db/database.ts'
import { HostError } from '#platform/host/errors.ts'
import type { Scope } from '#platform/scope.ts'
import { isEdgeAsked, lastRead } from './hooks.ts'
import { findLoad, keepLoad, type LoadRow } from './load-store.ts'
import { readWanted } from './wanted.ts'

/** One load of a server at a time, and one that waits for it to end. */
interface Line {
  running?: Promise<void> | undefined
  next?: Promise<void> | undefined
}

const byPanel = new WeakMap<Database, Map<number, Line>>()

const linesOf = ({ database }: Pick<Scope, 'database'>): Map<number, Line> => {
  const lines = byPanel.get(database) ?? new Map<number, Line>()
  byPanel.set(database, lines)
  return lines
}

/** Brings the list to a server. Those who ask while one load runs all get the one after it, which reads the list again. */
export const loadServer = (scope: Scope, serverId: number): Promise<void> => {
  const lines = linesOf(scope)
  const line = lines.get(serverId) ?? {}
  lines.set(serverId, line)
  if (line.running === undefined) {
    line.running = load(scope, serverId).finally(() => {
      line.running = undefined
    })
    return line.running
  }
  line.next ??= line.running
    .catch(() => {})
    .then(() => {
      line.next = undefined
      return loadServer(scope, serverId)
    })
  return line.next
}

/** What is still under way. */
export const loadsUnderWay = (scope: Pick<Scope, 'database'>): Promise<unknown> =>
  Promise.allSettled([...linesOf(scope).values()].flatMap(({ running, next }) => next ?? running ?? []))

const load = async (scope: Scope, serverId: number): Promise<void> => {
  const before = await findLoad(scope.db, serverId)
  const problem = await complaint(() => loadServerFirewall(scope, serverId))
  const loaded = problem === null ? lastRead(scope, serverId) : undefined
  const { version, forAllSites, forOneSite } = loaded ?? (await readWanted(scope))
  const isAllAtEdge = problem !== null || (await isEdgeAsked(scope))
  const row: Omit<LoadRow, 'drift_found_at'> = {
    server_id: serverId,
    state: problem === null ? 'network' : 'http_only',
    version,
    network_entries: problem === null ? forAllSites : 0,
    edge_entries: forOneSite + (isAllAtEdge ? forAllSites : 0),
    loaded_at: scope.now(),
    problem,
  }
  // Read by the edge, which takes over where the firewall fails.
  await keepLoad(scope.db, row)
  if (row.edge_entries === 0 && (before?.edge_entries ?? 0) === 0) return
  const edgeProblem = await complaint(async () => {
    await applyServerEdge(scope, serverId)
  })
  if (edgeProblem === null) return
  const state = problem === null ? 'network' : 'off'
  await keepLoad(scope.db, {
    ...row,
    state,
    version: 'not at the edge',
    edge_entries: before?.edge_entries ?? 0,
    problem: edgeProblem,
  })
}

/** What is wrong with the server itself; what passes is thrown, and tried again when the server is back. */
const complaint = async (work: () => Promise<void>): Promise<string | null> => {
  try {
    await work()
    return null
  } catch (error) {
    if (!(error instanceof KnownError) || (error instanceof HostError && error.isPassing)) throw error
    return error.message
  }
}

export const listReadyServers = async ({ db }: Pick<Scope, 'db'>): Promise<ServerRow[]> =>
  (await listServers(db)).filter(row => row.provisioned_at !== null)

/** On every server at once. One that can't be reached gets the list when it is back. */
export const loadEverywhere = async (scope: Scope): Promise<void> => {
  const servers = await listReadyServers(scope)
  await Promise.all(
    servers.map(({ id }) =>
      loadServer(scope, id).catch((error: unknown) => {
        scope.log.warn({ err: error, serverId: id }, 'a server did not get the blocked addresses')
      }),
    ),
  )
}
