import { HostError } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Scope } from '#platform/scope.ts'
import type { ServerInfo } from './contract.ts'
import { readDisk } from './host/read-disk.ts'
import { readFacts } from './host/read-facts.ts'
import { ROOT } from './paths.ts'
import type { ServerRow } from './server-store.ts'

const KEPT_MS = 60_000

const UNKNOWN = {
  hostname: null,
  os: null,
  kernel: null,
  arch: null,
  cpus: null,
  memTotalBytes: null,
  memAvailableBytes: null,
  diskTotalBytes: null,
  diskFreeBytes: null,
  load1: null,
  uptimeSeconds: null,
  dockerVersion: null,
  stack: [],
  firewall: null,
}

/** At most a minute old, or read now. A server that cannot be reached is an answer, too. */
export const serverInfo = async (scope: Scope, row: ServerRow, refresh: boolean): Promise<ServerInfo> => {
  const memo = scope.memo<ServerInfo>('server-info')
  const key = String(row.id)
  const kept = memo.get(key)
  if (kept && !refresh && scope.now() - kept.checkedAt < KEPT_MS) return kept
  const info = { ...(await ask(scope, scope.hosts.get(row.id))), checkedAt: scope.now() }
  memo.set(key, info)
  return info
}

const ask = async (scope: Scope, host: Host): Promise<Omit<ServerInfo, 'checkedAt'>> => {
  try {
    const [facts, disk, stack] = await Promise.all([
      readFacts(host),
      readDisk(host, ROOT),
      scope.events.ask(scope, 'stackState', { host }),
    ])
    const { system: _, systemVersion: __, ...shown } = facts
    return {
      ...shown,
      reachable: true,
      problem: null,
      reason: null,
      diskTotalBytes: disk?.totalBytes ?? null,
      diskFreeBytes: disk?.freeBytes ?? null,
      dockerVersion: stack.docker,
      stack: [...stack.parts],
      firewall: stack.firewall,
    }
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    return { ...UNKNOWN, reachable: false, problem: error.message, reason: error.code }
  }
}
