import { setTimeout as sleep } from 'node:timers/promises'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'

/** What no one has finished by then is cut off. */
const LIMIT_MS = 60_000
const PAUSE_MS = 100
/** Workers of the edge that are about to go may still take a visitor or two. */
const QUIET_LOOKS = 5

const ESTABLISHED = '01'
const SYN_SENT = '02'

/** Until the edge of a server has released a site: all that it asked for before is answered. */
export const awaitQuiet = async (host: Host, address: string, port: number, signal: AbortSignal): Promise<void> => {
  const until = Date.now() + LIMIT_MS
  for (let quiet = 0; quiet < QUIET_LOOKS && Date.now() < until; ) {
    const { stdout } = await host.run(exec('cat', '/proc/net/tcp'), { signal })
    quiet = hasConnections(stdout, address, port) ? 0 : quiet + 1
    await sleep(PAUSE_MS, undefined, { signal })
  }
}

/** The kernel writes addresses byte by byte from the end, and ports from the beginning. */
const hasConnections = (table: string, address: string, port: number): boolean => {
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, '0')
  const bytes = address.split('.').map(part => hex(Number(part), 2))
  const remote = `${bytes.toReversed().join('')}:${hex(port, 4)}`
  return table.split('\n').some(line => {
    const [, , to, state] = line.trim().split(/\s+/)
    return to === remote && (state === ESTABLISHED || state === SYN_SENT)
  })
}
