import { SiteSlug } from '#platform/contract/identifiers.ts'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { SHELL } from '#platform/host/shell-text.ts'
import { type ContainerReading, parseReading, type Reading } from './parse-reading.ts'

/** A container as its Docker Engine lists it, running or not. */
export interface ListedContainer {
  readonly id: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

export type ListContainers = (signal: AbortSignal) => Promise<readonly ListedContainer[]>

/** What one server and its containers use. What could not be read, or needs a sample before, is null. */
export interface Sample {
  readonly uptimeSeconds: number | null
  readonly load1: number | null
  readonly load5: number | null
  readonly load15: number | null
  readonly cpus: number | null
  readonly cpuShare: number | null
  readonly memTotalBytes: number | null
  readonly memUsedBytes: number | null
  readonly swapTotalBytes: number | null
  readonly swapUsedBytes: number | null
  readonly diskTotalBytes: number | null
  readonly diskUsedBytes: number | null
  readonly netInBytesPerSecond: number | null
  readonly netOutBytesPerSecond: number | null
  readonly containers: readonly ContainerUse[]
}

export interface ContainerUse {
  readonly id: string
  /** Null for a name that no Docker gives. */
  readonly name: string | null
  readonly siteSlug: string | null
  readonly stackPart: string | null
  readonly up: boolean
  readonly cpuShare: number | null
  readonly memBytes: number | null
  readonly memLimitBytes: number | null
  readonly pids: number | null
}

export interface SampleReader {
  read(host: Host, signal: AbortSignal): Promise<Sample>
}

type Identified = Pick<ContainerUse, 'id' | 'name' | 'siteSlug' | 'stackPart'>

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024
/** A container that never ran has no cgroup, so its coming and going shows only in a new list. */
const LIST_AGAIN_AFTER_READINGS = 10
/** As many as the largest machine has processors. */
const LINES_PER_FILE = 600
const CONTAINER_ID = /^[0-9a-f]{64}$/
const CONTAINER_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/
const STACK_PART = /^[a-z][a-z0-9-]{0,39}$/

/**
 * Word: where the root is, which only tests change. One program shows every file there is under its name; the disk's
 * numbers are in no file and come first, the first folder of a server that has it being /srv/fleetpress. Version 2 of
 * cgroups has one tree and version 1 one per kind; Docker's own driver uses `docker`, systemd's `system.slice`.
 */
const READ_ALL = `
shopt -s nullglob
stat -f --format='%S %b %a' -- "$0/srv/fleetpress" "$0/" 2> /dev/null
exec head -v -n ${LINES_PER_FILE} -- "$0"/proc/{loadavg,uptime,stat,meminfo,net/dev} \
  "$0"/sys/fs/cgroup/{docker/,system.slice/docker-}*/{cpu.stat,memory.current,memory.max,memory.stat,pids.current} \
  "$0"/sys/fs/cgroup/memory/{docker/,system.slice/docker-}*/memory.{limit_in_bytes,stat,usage_in_bytes} \
  "$0"/sys/fs/cgroup/{cpuacct/{docker/,system.slice/docker-}*/cpuacct.usage,pids/{docker/,system.slice/docker-}*/pids.current}
`

/** Reads one server again and again: shares are made of two readings, and names are asked for only when they may differ. */
export const sampleReader = (listContainers: ListContainers, root = ''): SampleReader => {
  const command = exec(...SHELL, READ_ALL, root)
  const names = containerNames(listContainers)
  let previous: Reading | undefined
  return {
    read: async (host, signal) => {
      // A container that ended in the meantime is not a failure: 1 is what head says then.
      const { stdout } = await host.run(command, { signal, allowExitCodes: [1], maxOutputBytes: MAX_OUTPUT_BYTES })
      const reading = parseReading(stdout, root)
      const listed = await names(reading.containers.keys(), signal)
      const before = previous
      previous = reading
      return toSample(reading, before, listed)
    },
  }
}

const containerNames = (listContainers: ListContainers) => {
  let listed: Identified[] = []
  let runningThen: string | undefined
  let readings = 0
  return async (running: Iterable<string>, signal: AbortSignal): Promise<Identified[]> => {
    const runningNow = [...running].toSorted().join(' ')
    readings += 1
    if (runningNow === runningThen && readings < LIST_AGAIN_AFTER_READINGS) return listed
    try {
      listed = (await listContainers(signal)).flatMap(identify)
      runningThen = runningNow
      readings = 0
    } catch {
      // A server whose Docker does not answer still has load, memory and disk; the list is asked for again next time.
      signal.throwIfAborted()
    }
    return listed
  }
}

const identify = ({ id, name, labels }: ListedContainer): Identified[] => {
  if (!CONTAINER_ID.test(id)) return []
  const { 'fleetpress.site': site, 'fleetpress.stack': part } = labels
  return [
    {
      id,
      name: CONTAINER_NAME.test(name) ? name : null,
      siteSlug: SiteSlug.safeParse(site).data ?? null,
      stackPart: part !== undefined && STACK_PART.test(part) ? part : null,
    },
  ]
}

const minus = (total: number | null, part: number | null): number | null =>
  total === null || part === null || part > total ? null : total - part

/** How much a counter grew; null after a restart, when it begins again. */
const growth = (now: number | null, before: number | null | undefined): number | null => minus(now, before ?? null)

const divide = (amount: number | null, by: number | null): number | null =>
  amount === null || by === null || by <= 0 ? null : amount / by

const share = (amount: number | null, of: number | null): number | null => {
  const value = divide(amount, of)
  return value === null ? null : Math.min(1, value)
}

const toSample = (now: Reading, before: Reading | undefined, listed: readonly Identified[]): Sample => {
  const seconds = growth(now.uptimeSeconds, before?.uptimeSeconds)
  const cpuUs = seconds === null || now.cpus === null ? null : seconds * now.cpus * 1_000_000
  return {
    uptimeSeconds: now.uptimeSeconds,
    load1: now.load1,
    load5: now.load5,
    load15: now.load15,
    cpus: now.cpus,
    cpuShare: share(growth(now.cpuBusyTicks, before?.cpuBusyTicks), growth(now.cpuTotalTicks, before?.cpuTotalTicks)),
    memTotalBytes: now.memTotalBytes,
    memUsedBytes: minus(now.memTotalBytes, now.memAvailableBytes),
    swapTotalBytes: now.swapTotalBytes,
    swapUsedBytes: minus(now.swapTotalBytes, now.swapFreeBytes),
    diskTotalBytes: now.diskTotalBytes,
    diskUsedBytes: minus(now.diskTotalBytes, now.diskFreeBytes),
    netInBytesPerSecond: divide(growth(now.netInBytes, before?.netInBytes), seconds),
    netOutBytesPerSecond: divide(growth(now.netOutBytes, before?.netOutBytes), seconds),
    containers: listed.map(one => ({
      ...one,
      ...toUse(now.containers.get(one.id), before?.containers.get(one.id), cpuUs),
    })),
  }
}

const toUse = (now: ContainerReading | undefined, before: ContainerReading | undefined, cpuUs: number | null) => ({
  up: now !== undefined,
  cpuShare: share(growth(now?.cpuUs ?? null, before?.cpuUs), cpuUs),
  memBytes: now?.memBytes ?? null,
  memLimitBytes: now?.memLimitBytes ?? null,
  pids: now?.pids ?? null,
})
