import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { findContainer } from '#drivers/docker/containers.ts'
import { readText } from '#features/servers/index.ts'
import { dockerOf } from '#features/stack/index.ts'
import type { Host } from '#platform/host/host.ts'
import { FTP_CONTAINER, STATUS_FILE } from './container.ts'

const LIMIT_MS = 5_000

const Status = z.object({
  generation: z.string(),
  ending: z.number().describe('sessions that have lost their right and are still open'),
  sessions: z.record(z.string(), z.number()),
  fingerprints: z.record(z.string(), z.string()),
})
export type Status = z.infer<typeof Status>

/** Undefined before it has started. */
export const readStatus = async (host: Host): Promise<Status | undefined> => {
  const text = await readText(host, STATUS_FILE)
  return text === '' ? undefined : Status.parse(JSON.parse(text))
}

export const isRunning = async (host: Host, signal?: AbortSignal): Promise<boolean> =>
  (await findContainer(dockerOf(host), FTP_CONTAINER, { signal }))?.state === 'running'

/** What is on a server now. */
export interface Found {
  readonly isReachable: boolean
  readonly isThere: boolean
  /** Of a service that runs. */
  readonly status: Status | undefined
}

const UNREACHABLE: Found = { isReachable: false, isThere: false, status: undefined }

/** People wait for it, so a server that does not respond is given up soon. */
export const lookAtServer = async (host: Host): Promise<Found> => {
  const given = new AbortController()
  const look = async (): Promise<Found> => {
    const signal = AbortSignal.any([given.signal, AbortSignal.timeout(LIMIT_MS)])
    const found = await findContainer(dockerOf(host), FTP_CONTAINER, { signal })
    const status = found?.state === 'running' ? await readStatus(host) : undefined
    return { isReachable: true, isThere: found !== undefined, status }
  }
  const tooLate = sleep(LIMIT_MS, UNREACHABLE, { signal: given.signal, ref: false }).catch(() => UNREACHABLE)
  try {
    return await Promise.race([look().catch(() => UNREACHABLE), tooLate])
  } finally {
    given.abort()
  }
}
