import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, stdinOf } from './command.ts'
import { CommandFailed, HostTimeout, InvalidCommand } from './errors.ts'
import type { Exit, OnChunk, StreamOptions, StreamResult } from './host.ts'
import { Secret } from './secret.ts'
import { Tail } from './tail.ts'

/** A command under way, wherever it runs. */
export interface RunningProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly exited: Promise<Exit>
  /** Ends it with all its descendants and resolves when they are gone. */
  kill(): Promise<void>
}

export interface Run {
  readonly host: string
  readonly text: string
  readonly stdin: Stdin
  readonly options: StreamOptions
  /** Gives up when the signal aborts before it has begun. */
  start(signal: AbortSignal): Promise<RunningProcess>
}

type Stdin = string | Buffer | Readable

const KEPT_STDERR_BYTES = 4096

/** What the run sends to the command, a secret revealed here and nowhere before. */
export const stdinFor = (command: Command, { stdin }: StreamOptions): Stdin => {
  const own = stdinOf(command)
  if (own !== undefined && stdin !== undefined) throw new InvalidCommand('stdin is given twice')
  const given = own ?? stdin ?? ''
  return given instanceof Secret ? given.reveal() : given
}

/** Sees one run through to its end: feeds it, reads it no faster than the callbacks, and leaves nothing running. */
export const supervise = async (run: Run): Promise<StreamResult> => {
  const { host, text, options, stdin } = run
  // A stream that fails while the process starts would otherwise end the panel.
  if (stdin instanceof Readable) stdin.on('error', () => {})
  const interruption = interruptionOf(host, options)
  try {
    options.signal?.throwIfAborted()
    const running = await run.start(interruption.signal)
    const stderr = new Tail(KEPT_STDERR_BYTES)
    const end = await Promise.race([follow(running, run, stderr), interruption.promise]).catch(async error => {
      await running.kill()
      throw error
    })
    if (end.exitCode !== 0 && !options.allowExitCodes?.includes(end.exitCode)) {
      throw new CommandFailed({ host, command: text, ...end, stderr: stderr.text() })
    }
    return { exitCode: end.exitCode }
  } finally {
    interruption.cancel()
    if (stdin instanceof Readable) stdin.destroy()
  }
}

const follow = async (running: RunningProcess, { stdin, options }: Run, stderr: Tail): Promise<Exit> => {
  const onStderr: OnChunk = chunk => {
    stderr.add(chunk)
    return options.onStderr?.(chunk)
  }
  const failedFeed = Promise.withResolvers<never>()
  feed(running.stdin, stdin).catch(failedFeed.reject)
  const [exit] = await Promise.race([
    Promise.all([running.exited, drain(running.stdout, options.onStdout), drain(running.stderr, onStderr)]),
    failedFeed.promise,
  ])
  return exit
}

const drain = async (source: Readable, onChunk: OnChunk = () => {}): Promise<void> => {
  const chunks: AsyncIterable<Buffer> = source
  for await (const chunk of chunks) await onChunk(chunk)
}

/** A command may end without reading all of its input; only a source that fails is a failure. */
const feed = async (target: Writable, source: Stdin): Promise<void> => {
  target.on('error', () => {})
  if (!(source instanceof Readable)) {
    target.end(source)
    return
  }
  try {
    // Ending it early would let the command take half of the input for the whole.
    await pipeline(source, target, { end: false })
    target.end()
  } catch (error) {
    if (!target.destroyed) throw error
  }
}

const interruptionOf = (host: string, { timeoutMs, signal }: StreamOptions) => {
  const interrupted = new AbortController()
  const promise = new Promise<never>((_, reject) => {
    interrupted.signal.addEventListener('abort', () => reject(interrupted.signal.reason), { once: true })
  })
  // It may be too late for anyone to wait for it.
  promise.catch(() => {})
  const onAbort = () => interrupted.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => interrupted.abort(new HostTimeout(host, timeoutMs)), timeoutMs)
  const cancel = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  return { promise, signal: interrupted.signal, cancel }
}
