import type { Sample } from '#features/monitor/read-sample.ts'

/** A sample of a server that told nothing. */
export const NOTHING_READ: Sample = {
  uptimeSeconds: null,
  load1: null,
  load5: null,
  load15: null,
  cpus: null,
  cpuShare: null,
  memTotalBytes: null,
  memUsedBytes: null,
  swapTotalBytes: null,
  swapUsedBytes: null,
  diskTotalBytes: null,
  diskUsedBytes: null,
  netInBytesPerSecond: null,
  netOutBytesPerSecond: null,
  containers: [],
}
