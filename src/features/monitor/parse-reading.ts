/** Counters and levels of one moment, as the kernel tells them. What is absent or makes no sense is null. */
export interface Reading {
  uptimeSeconds: number | null
  load1: number | null
  load5: number | null
  load15: number | null
  cpus: number | null
  cpuBusyTicks: number | null
  cpuTotalTicks: number | null
  memTotalBytes: number | null
  memAvailableBytes: number | null
  swapTotalBytes: number | null
  swapFreeBytes: number | null
  diskTotalBytes: number | null
  diskFreeBytes: number | null
  netInBytes: number | null
  netOutBytes: number | null
  /** By the id of the container; only running ones have a cgroup. */
  containers: Map<string, ContainerReading>
}

export interface ContainerReading {
  cpuUs: number | null
  memBytes: number | null
  /** Null where there is no limit. */
  memLimitBytes: number | null
  pids: number | null
}

type Files = Map<string, string[]>

const CONTAINER_FILE =
  /^\/sys\/fs\/cgroup\/(?:(?:cpuacct|memory|pids)\/)?(?:docker\/|system\.slice\/docker-)([0-9a-f]{64})(?:\.scope)?\/([a-z_.]{1,40})$/

/** Cards only: bridges and the containers' ends of cables would count the same bytes again. */
const NETWORK_CARD = /^ *(?:en|eth|wl|ww|ib|venet)[A-Za-z0-9_.]*: *(\d+(?: +\d+){15}) *$/

/** What `head -v` puts above each file; no line of these files looks like it, since none holds a path. */
const HEADING = /^==> (\/.+) <==$/

/** The disk's line comes before the first heading. */
export const parseReading = (output: string, root = ''): Reading => {
  const files: Files = new Map()
  const containers = new Map<string, Files>()
  let lines: string[] = []
  const diskLines = lines
  for (const line of output.split('\n')) {
    const path = HEADING.exec(line)?.[1]
    if (path === undefined) {
      lines.push(line)
      continue
    }
    lines = []
    const name = path.startsWith(`${root}/`) ? path.slice(root.length) : path
    const [, id, file] = CONTAINER_FILE.exec(name) ?? []
    if (id === undefined || file === undefined) files.set(name, lines)
    else getOrAdd(containers, id, () => new Map<string, string[]>()).set(file, lines)
  }
  return {
    ...cpu(files),
    ...memory(files),
    ...disk(diskLines),
    ...network(files),
    containers: new Map([...containers].map(([id, own]) => [id, container(own)])),
  }
}

const getOrAdd = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make()
  map.set(key, made)
  return made
}

const wholeNumber = (text: string | undefined): number | null => {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return null
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : null
}

const decimal = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,10}\.\d{1,3}$/.test(text) ? Number(text) : null

const first = (files: Files, path: string): string => files.get(path)?.[0] ?? ''

/** The value behind a word at the start of a line. */
const valueOf = (lines: readonly string[] | undefined, word: string): number | null =>
  wholeNumber(
    lines
      ?.find(line => line.startsWith(`${word} `))
      ?.slice(word.length)
      .trim(),
  )

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((total, value) => (total === null || value === null ? null : total + value), 0)

const cpu = (files: Files) => {
  const [load1, load5, load15] = first(files, '/proc/loadavg').split(' ')
  const stat = files.get('/proc/stat') ?? []
  const cpus = stat.filter(line => /^cpu\d+ /.test(line)).length
  // user nice system idle iowait irq softirq steal; what follows is counted in user already.
  const ticks = /^cpu +((?:\d+ ){7}\d+)/
    .exec(stat[0] ?? '')?.[1]
    ?.split(' ')
    .map(wholeNumber)
  const total = ticks ? sum(ticks) : null
  const idle = ticks ? sum(ticks.slice(3, 5)) : null
  return {
    uptimeSeconds: decimal(first(files, '/proc/uptime').split(' ')[0]),
    load1: decimal(load1),
    load5: decimal(load5),
    load15: decimal(load15),
    cpus: cpus > 0 ? cpus : null,
    cpuBusyTicks: total === null || idle === null ? null : total - idle,
    cpuTotalTicks: total,
  }
}

const memory = (files: Files) => {
  const lines = files.get('/proc/meminfo')
  const bytes = (word: string): number | null => {
    const text = lines?.find(line => line.startsWith(`${word}:`))
    const kib = wholeNumber(/^[A-Za-z]+: +(\d{1,12}) kB$/.exec(text ?? '')?.[1])
    return kib === null ? null : kib * 1024
  }
  return {
    memTotalBytes: bytes('MemTotal'),
    memAvailableBytes: bytes('MemAvailable'),
    swapTotalBytes: bytes('SwapTotal'),
    swapFreeBytes: bytes('SwapFree'),
  }
}

/** The first folder that exists comes first: block size, blocks, free blocks. */
const disk = ([line = '']: readonly string[]) => {
  const [size, blocks, free] = (/^(\d+) (\d+) (\d+)$/.exec(line) ?? []).slice(1).map(wholeNumber)
  const bytes = (count: number | null | undefined) => {
    const product = (size ?? Number.NaN) * (count ?? Number.NaN)
    return Number.isSafeInteger(product) ? product : null
  }
  return { diskTotalBytes: bytes(blocks), diskFreeBytes: bytes(free) }
}

const network = (files: Files) => {
  const cards = (files.get('/proc/net/dev') ?? []).flatMap(line => {
    const counters = NETWORK_CARD.exec(line)?.[1]
    return counters === undefined ? [] : [counters.split(/ +/).map(wholeNumber)]
  })
  const total = (column: number) => (cards.length > 0 ? sum(cards.map(card => card[column] ?? null)) : null)
  return { netInBytes: total(0), netOutBytes: total(8) }
}

/** The files of cgroup version 1 and 2 have different names, so both are asked for and one answers. */
const container = (files: Files): ContainerReading => {
  const alone = (name: string) => wholeNumber(files.get(name)?.[0])
  const nanoseconds = alone('cpuacct.usage')
  const used = alone('memory.current') ?? alone('memory.usage_in_bytes')
  const stat = files.get('memory.stat')
  const reclaimable = valueOf(stat, 'total_inactive_file') ?? valueOf(stat, 'inactive_file')
  return {
    cpuUs: valueOf(files.get('cpu.stat'), 'usage_usec') ?? (nanoseconds === null ? null : nanoseconds / 1000),
    memBytes: used === null ? null : Math.max(0, used - (reclaimable ?? 0)),
    // Without a limit version 2 says `max` and version 1 a number beyond what is counted here.
    memLimitBytes: alone('memory.max') ?? alone('memory.limit_in_bytes'),
    pids: alone('pids.current'),
  }
}
