import { setTimeout as sleep } from 'node:timers/promises'
import type { JobProgress } from '#platform/contract/job.ts'
import type { Host } from '#platform/host/host.ts'
import { readSize } from '../storage.ts'

const COUNT_EVERY_MS = 1_000
const COUNT_LIMIT_MS = 10_000
/** Pauses are this much longer than counting takes, so that the copy has most of the disk's time. */
const PAUSE_FACTOR = 9

interface Copy {
  readonly host: Host
  readonly to: string
  readonly totalBytes: number
  /** Settles when nothing more is copied. */
  readonly ended: Promise<unknown>
}

/** Reports how much has arrived in a folder until the copy has ended. Never fails: the copy itself tells what went wrong. */
export const reportCopied = async (
  { host, to, totalBytes, ended }: Copy,
  report: (progress: JobProgress) => void,
): Promise<void> => {
  const end = new AbortController()
  void ended.catch(() => {}).finally(() => end.abort())
  let pauseMs = COUNT_EVERY_MS
  for (;;) {
    await sleep(pauseMs, undefined, { signal: end.signal }).catch(() => {})
    if (end.signal.aborted) return
    const startedAt = performance.now()
    const done = await readSize(host, to, COUNT_LIMIT_MS).catch(() => null)
    if (done !== null) report({ done, total: totalBytes, unit: 'bytes' })
    pauseMs = Math.max(COUNT_EVERY_MS, PAUSE_FACTOR * (performance.now() - startedAt))
  }
}
