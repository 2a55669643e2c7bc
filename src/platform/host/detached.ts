import { setTimeout as delay } from 'node:timers/promises'
import { type Command, exec, render, stdinOf } from './command.ts'
import { END, FOLLOW, START } from './detached-scripts.ts'
import { CommandFailed, DetachedLost, HostTimeout, HostUnreachable, InvalidWord } from './errors.ts'
import type { Host } from './host.ts'
import { refuseBadPath } from './host-path.ts'
import { SHELL } from './shell-text.ts'
import { Tail } from './tail.ts'

const FOLDER = '/srv/fleetpress/run/detached'
/** A server may be restarted or cut off for a while; a job that waited longer is better told to the owner. */
const UNREACHABLE_LIMIT_MS = 120_000
const END_LIMIT_MS = 15_000
/** Longer than connecting takes, so whatever took this long had reached the host. */
const REACHED_AFTER_MS = 15_000
const KEPT_OUTPUT_BYTES = 4096
const LONGEST_LINE_BYTES = 64 * 1024
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5_000

export interface DetachedFolder {
  /** Where the work of all ids is kept on the host; `/srv/fleetpress/run/detached` if absent. */
  readonly folder?: string | undefined
}

export interface DetachedOptions extends DetachedFolder {
  /** What it says, stdout and stderr as one, in whole lines, from the beginning at every attach. */
  readonly onOutput?: ((text: string) => void | Promise<void>) | undefined
  /** When it aborts, the work is ended on the host and the abort's reason thrown. */
  readonly signal?: AbortSignal | undefined
  /** Exit codes, apart from 0, that are answers and not failures. */
  readonly allowExitCodes?: readonly number[] | undefined
  /** Counted from this attach. When it passes, the work is ended on the host and `HostTimeout` thrown. */
  readonly timeoutMs?: number | undefined
  /** How long the host may be out of reach before `HostUnreachable` is thrown and the work left alone; 2 min if absent. */
  readonly unreachableLimitMs?: number | undefined
}

/**
 * Work that continues when the connection is cut or the panel ends. The first call with an id starts it, every later one
 * attaches to it, even when it has ended in the meantime: until `forgetDetached` an id runs at most once. Returns its exit code,
 * and throws `CommandFailed` for one that is not allowed.
 */
export const runDetached = async (
  host: Host,
  id: string,
  command: Command,
  options: DetachedOptions = {},
): Promise<number> => {
  const workFolder = folderOf(id, options)
  const text = render(command)
  const { signal, cancel } = limitOf(host, options)
  const limitMs = options.unreachableLimitMs ?? UNREACHABLE_LIMIT_MS
  try {
    await whileUnreachable(limitMs, signal, () => start(host, workFolder, command, signal))
    const { exitCode, lastOutput } = await whileUnreachable(
      limitMs,
      signal,
      follower(host, workFolder, options, signal),
    )
    if (exitCode === undefined) throw new DetachedLost(host.name, id)
    if (exitCode === 0 || options.allowExitCodes?.includes(exitCode)) return exitCode
    throw new CommandFailed({ host: host.name, command: text, exitCode, signal: null, stderr: lastOutput })
  } catch (error) {
    if (signal.aborted) await endIfReachable(host, workFolder)
    throw error
  } finally {
    cancel()
  }
}

/** Starts such work and leaves it alone, for what outlives the panel itself. */
export const startDetached = (host: Host, id: string, command: Command, options: DetachedFolder = {}): Promise<void> =>
  start(host, folderOf(id, options), command, AbortSignal.timeout(END_LIMIT_MS))

/** Ends the work if it still runs and removes all that is kept of it; harmless when there is none. */
export const forgetDetached = async (host: Host, id: string, options: DetachedFolder = {}): Promise<void> => {
  const workFolder = folderOf(id, options)
  await host.run(exec(...SHELL, END, workFolder))
  await host.run(exec('rm', '-rf', '--', workFolder))
}

/** The input is put there as a whole first: a connection that is cut would look like its end. */
const start = async (host: Host, workFolder: string, command: Command, signal: AbortSignal): Promise<void> => {
  const stdin = stdinOf(command)
  if (stdin !== undefined) {
    await host.makeDir(workFolder, { mode: 0o700 })
    await host.writeFile(`${workFolder}/stdin`, stdin)
  }
  await host.run(exec(...SHELL, START, workFolder, render(command)), { signal })
}

/** Each call continues behind the last whole line that was handed on before. */
const follower = (host: Host, workFolder: string, { onOutput }: DetachedOptions, signal: AbortSignal) => {
  const last = new Tail(KEPT_OUTPUT_BYTES)
  let seenBytes = 0
  const handOn = async (bytes: Buffer) => {
    if (bytes.length === 0) return
    seenBytes += bytes.length
    last.add(bytes)
    await onOutput?.(bytes.toString())
  }
  return async () => {
    let rest: Buffer = Buffer.alloc(0)
    let said = ''
    const onStdout = async (chunk: Buffer) => {
      const bytes = Buffer.concat([rest, chunk])
      const end = bytes.length > LONGEST_LINE_BYTES ? bytes.length : bytes.lastIndexOf('\n') + 1
      rest = bytes.subarray(end)
      await handOn(bytes.subarray(0, end))
    }
    const onStderr = (chunk: Buffer) => {
      said += chunk.toString()
    }
    await host.stream(exec(...SHELL, FOLLOW, workFolder, String(seenBytes)), { onStdout, onStderr, signal })
    await handOn(rest)
    const code = /^exit (\d+)$/.exec(said.trim())?.[1]
    return { exitCode: code === undefined ? undefined : Number(code), lastOutput: last.text() }
  }
}

/** Anyone who gave up is told so in any case; what could not be ended is found again by its id. */
const endIfReachable = (host: Host, workFolder: string): Promise<unknown> =>
  whileUnreachable(END_LIMIT_MS, undefined, () => host.run(exec(...SHELL, END, workFolder))).catch(() => {})

/** Tries again, less and less often, as long as the host has not been out of reach for too long. */
const whileUnreachable = async <T>(
  limitMs: number,
  signal: AbortSignal | undefined,
  act: () => Promise<T>,
): Promise<T> => {
  let waitMs = FIRST_WAIT_MS
  let lostAt: number | undefined
  for (;;) {
    const startedAt = performance.now()
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof HostUnreachable)) throw error
      if (lostAt === undefined || performance.now() - startedAt > REACHED_AFTER_MS) lostAt = performance.now()
      if (performance.now() - lostAt > limitMs) throw error
      await delay(waitMs, undefined, { signal }).catch(() => signal?.throwIfAborted())
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
    }
  }
}

const limitOf = (host: Host, { signal, timeoutMs }: DetachedOptions) => {
  const limit = new AbortController()
  const onAbort = () => limit.abort(signal?.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => limit.abort(new HostTimeout(host.name, timeoutMs)), timeoutMs)
  const cancel = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  return { signal: limit.signal, cancel }
}

/** The id becomes the name of a folder that is removed as a whole. */
const folderOf = (id: string, { folder = FOLDER }: DetachedFolder): string => {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(id)) throw new InvalidWord('the id of detached work is a plain name')
  refuseBadPath(folder)
  return `${folder}/${id}`
}
