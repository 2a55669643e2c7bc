import { parseLine } from '#drivers/postfix/parse-line.ts'
import { listSites, siteNetwork } from '#features/sites/index.ts'
import { type Positions, readLog } from '#platform/host/read-log.ts'
import type { Scope } from '#platform/scope.ts'
import { LOG_FOLDER } from '../relay/names.ts'
import { findMailServer } from '../server-store.ts'
import { keepMessages } from './message-store.ts'

const BYTES_AT_ONCE = 4 * 1024 ** 2
/** Enough for all that a server keeps of its log. */
const MOST_READINGS = 40

interface IngestOptions {
  readonly serverId: number
  readonly signal?: AbortSignal
  /** Where tests keep their logs. */
  readonly folder?: string
}

/** Keeps what the relay of a server has logged since the last time. */
export const ingest = async (
  { db, hosts, now }: Pick<Scope, 'db' | 'hosts' | 'now'>,
  { serverId, signal, folder = LOG_FOLDER }: IngestOptions,
): Promise<void> => {
  const sites = await listSites(db, { serverId })
  const slugs = new Map(sites.map(({ slug, network_index }) => [siteNetwork(slug, network_index).address, slug]))
  const story = { serverId, siteAt: (address: string) => slugs.get(address) ?? null }
  for (let readings = 0; readings < MOST_READINGS; readings++) {
    signal?.throwIfAborted()
    const { positions: before } = await findMailServer(db, serverId)
    const reading = await readLog(hosts.get(serverId), JSON.parse(before) as Positions, {
      folder,
      name: 'mail.log',
      mostBytes: BYTES_AT_ONCE,
      signal,
    })
    const events = reading.lines.flatMap(line => parseLine(line, now()) ?? [])
    const after = JSON.stringify(reading.positions)
    // Another panel was faster, and continues from here.
    if (!(await keepMessages(db, { story, before, after, events, now: now() })) || !reading.isPart) return
  }
}
