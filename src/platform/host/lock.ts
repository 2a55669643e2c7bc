import { PassThrough } from 'node:stream'
import { inSequence } from '#platform/sequence/in-sequence.ts'
import { exec } from './command.ts'
import { HostTimeout, LockLost } from './errors.ts'
import type { Host } from './host.ts'
import { SHELL } from './shell-text.ts'

const WAIT_MS = 120_000
const STILL_LOCKED = 75
/** Words: the file, and how many seconds to wait for it. Holds the lock until its input ends, or the connection does. */
const HOLD = `mkdir -p -- "\${0%/*}" && exec 9>"$0" && { flock --wait "$1" 9 || exit ${STILL_LOCKED}; } && echo held && exec cat`

export interface LockOptions {
  readonly signal?: AbortSignal | undefined
  readonly waitMs?: number | undefined
}

/**
 * Runs the work while holding a lock file on the server itself, so that it is alone there whichever panel process asks.
 * The signal aborts when the lock is lost with the connection: check it before anything that others would overwrite.
 */
export const withHostLock = <T>(
  host: Host,
  file: string,
  work: (signal: AbortSignal) => Promise<T>,
  options: LockOptions = {},
): Promise<T> =>
  // One at a time leaves this process first: each waiting lock takes one of the few channels of a connection.
  inSequence(`lock ${numberOf(host)} ${file}`, () => holding(host, file, work, options))

const holding = async <T>(
  host: Host,
  file: string,
  work: (signal: AbortSignal) => Promise<T>,
  { signal, waitMs = WAIT_MS }: LockOptions,
): Promise<T> => {
  const lost = new AbortController()
  const input = new PassThrough()
  const held = Promise.withResolvers<void>()
  const holder = host
    .stream(exec(...SHELL, HOLD, file, String(Math.ceil(waitMs / 1000))), {
      stdin: input,
      signal,
      onStdout: () => held.resolve(),
      allowExitCodes: [STILL_LOCKED],
    })
    .then(({ exitCode }) => {
      throw exitCode === STILL_LOCKED ? new HostTimeout(host.name, waitMs) : new LockLost(host.name, file)
    })
    .catch((error: unknown) => {
      lost.abort(error)
      held.reject(error)
    })
  try {
    await held.promise
    const result = await work(lost.signal)
    lost.signal.throwIfAborted()
    return result
  } finally {
    input.end()
    await holder
  }
}

let hosts = 0
const numbers = new WeakMap<Host, number>()

/** Two connections to one server may have the same name. */
const numberOf = (host: Host): number => {
  const number = numbers.get(host) ?? (hosts += 1)
  numbers.set(host, number)
  return number
}
