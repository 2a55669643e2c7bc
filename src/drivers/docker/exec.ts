import { type Duplex, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Argv, exec } from '#platform/host/command.ts'
import { HostTimeout, OutputTooLarge } from '#platform/host/errors.ts'
import type { OnChunk } from '#platform/host/host.ts'
import { Secret } from '#platform/host/secret.ts'
import { type Cancellation, type Docker, segment } from './client.ts'
import { demultiplex } from './output.ts'

const TIMEOUT_MS = 60_000
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
const EXIT_PAUSE_MS = 10
const START_LIMIT_MS = 5_000
const EXIT_LIMIT_MS = 2_000
const KILL_OPTIONS = { allowExitCodes: [1], timeoutMs: 10_000 }

const Created = z.object({ Id: z.string() })
const Inspected = z.object({ Running: z.boolean(), ExitCode: z.number().nullish(), Pid: z.number() })

export interface ExecOptions extends Cancellation {
  /** That of the container if absent. */
  readonly user?: string
  readonly cwd?: string
  readonly stdin?: string | Buffer | Secret | Readable
  /** Takes the output instead of the result; the program waits while its promise is open. */
  readonly onStdout?: OnChunk | undefined
  /** For both outputs together as far as they are kept, 16 MiB if absent; beyond it the program is ended and `OutputTooLarge` thrown. */
  readonly maxOutputBytes?: number
  /** A minute if absent; then the program is ended with its descendants and `HostTimeout` thrown. */
  readonly timeoutMs?: number
}

export interface ExecResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program in a running container, with no shell in between. */
export const execIn = async (
  docker: Docker,
  container: string,
  argv: Argv,
  options: ExecOptions = {},
): Promise<ExecResult> => {
  const { timeoutMs = TIMEOUT_MS, signal } = options
  const tooLate = AbortSignal.timeout(timeoutMs)
  const stop = signal === undefined ? tooLate : AbortSignal.any([signal, tooLate])
  const caller: Caller = {}
  // Before anything else: the source may fail while the engine is asked.
  const watched = watchCaller(options, caller)
  const kept = new KeptOutput(options.maxOutputBytes)
  const id = await create(docker, container, argv, options)
  try {
    const connection = await docker.hijack({
      method: 'POST',
      path: `/exec/${segment(id)}/start`,
      body: { Detach: false, Tty: false },
      signal: stop,
    })
    await converse(connection, { ...watched, kept }, stop)
    return { exitCode: await exitCodeOf(docker, id, stop), ...kept.texts() }
  } catch (error) {
    const isOurs = stop.aborted || 'error' in caller
    const exitCode = !isOurs && isHangUp(error) ? await failedExitOf(docker, id).catch(() => undefined) : undefined
    if (exitCode !== undefined) return { exitCode, ...kept.texts() }
    await endExec(docker, id).catch(() => {})
    signal?.throwIfAborted()
    if ('error' in caller) throw caller.error
    throw tooLate.aborted ? new HostTimeout(docker.host.name, timeoutMs) : docker.failure(error)
  }
}

/** What failed on this side: where the input came from, or where the output went. */
interface Caller {
  error?: unknown
}

/** The engine is not to blame for these failures, so they are thrown as they are. */
const watchCaller = (options: ExecOptions, caller: Caller): ExecOptions => {
  const { stdin, onStdout } = options
  if (stdin instanceof Readable)
    stdin.once('error', error => {
      caller.error = error
    })
  if (!onStdout) return options
  const watched = async (chunk: Buffer) => {
    try {
      await onStdout(chunk)
    } catch (error) {
      caller.error = error
      throw error
    }
  }
  return { ...options, onStdout: watched }
}

const create = async (docker: Docker, container: string, argv: Argv, options: ExecOptions): Promise<string> => {
  const { user, cwd, stdin, signal } = options
  const body = {
    Cmd: argv,
    AttachStdin: stdin !== undefined,
    AttachStdout: true,
    AttachStderr: true,
    ...(user !== undefined && { User: user }),
    ...(cwd !== undefined && { WorkingDir: cwd }),
  }
  const path = `/containers/${segment(container)}/exec`
  return (await docker.json(Created, { method: 'POST', path, body, signal })).Id
}

/** What a program has said that no one else takes. */
class KeptOutput {
  readonly #chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_OUTPUT_BYTES) {
    this.#maxBytes = maxBytes
  }

  take(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes) throw new OutputTooLarge('the output of the program', this.#maxBytes)
    this.#chunks[stream].push(chunk)
  }

  texts(): Pick<ExecResult, 'stdout' | 'stderr'> {
    const { stdout, stderr } = this.#chunks
    return { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }
  }
}

const converse = async (
  connection: Duplex,
  { stdin, onStdout, kept }: ExecOptions & { readonly kept: KeptOutput },
  stop: AbortSignal,
): Promise<void> => {
  const onAbort = () => connection.destroy(stop.reason instanceof Error ? stop.reason : new Error('stopped'))
  stop.addEventListener('abort', onAbort, { once: true })
  try {
    // A source that fails ends the connection, so it is seen below.
    void feed(connection, stdin)
    await demultiplex(connection, (stream, chunk) => {
      if (stream === 'stdout' && onStdout) return onStdout(chunk)
      kept.take(stream, chunk)
    })
  } finally {
    stop.removeEventListener('abort', onAbort)
    connection.destroy()
    // A program may end without reading all of its input.
    if (stdin instanceof Readable) stdin.destroy()
  }
}

const feed = async (connection: Duplex, stdin: ExecOptions['stdin']): Promise<void> => {
  connection.on('error', () => {})
  if (stdin === undefined) return
  if (!(stdin instanceof Readable)) {
    connection.end(stdin instanceof Secret ? stdin.reveal() : stdin)
    return
  }
  try {
    for await (const chunk of stdin) if (!connection.write(chunk)) await roomIn(connection)
    connection.end()
  } catch (error) {
    // Ending it normally would let the program take half of the input for the whole.
    connection.destroy(error instanceof Error ? error : new Error('the input failed'))
  }
}

const roomIn = (connection: Duplex): Promise<void> =>
  new Promise(resolve => {
    if (connection.destroyed) return resolve()
    const done = () => {
      connection.off('drain', done).off('close', done)
      resolve()
    }
    connection.once('drain', done).once('close', done)
  })

/** The outputs may close a moment before the engine has noted the exit. */
const exitCodeOf = async (docker: Docker, id: string, signal: AbortSignal): Promise<number> => {
  for (;;) {
    const { Running, ExitCode } = await docker.json(Inspected, { path: `/exec/${segment(id)}/json`, signal })
    if (!Running && typeof ExitCode === 'number') return ExitCode
    await sleep(EXIT_PAUSE_MS, undefined, { signal })
  }
}

const isHangUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET')

/**
 * A program that fails before it has read its input takes the connection down with it. A success is not believed then,
 * because the end of its output may be lost.
 */
const failedExitOf = async (docker: Docker, id: string): Promise<number | undefined> => {
  const exitCode = await exitCodeOf(docker, id, AbortSignal.timeout(EXIT_LIMIT_MS))
  return exitCode === 0 ? undefined : exitCode
}

/**
 * The engine can't end what it started this way, but gives its number on the host, where it leads its own group. An
 * engine that was asked a moment ago has no number yet, and would start the program when no one waits for it.
 */
const endExec = async (docker: Docker, id: string): Promise<void> => {
  const deadline = Date.now() + START_LIMIT_MS
  for (;;) {
    const found = await docker.json(Inspected, { path: `/exec/${segment(id)}/json` })
    if (typeof found.ExitCode === 'number') return
    if (found.Running && found.Pid > 1) {
      await docker.host.run(exec('kill', '-KILL', '--', `-${found.Pid}`), KILL_OPTIONS)
      return
    }
    if (Date.now() > deadline) return
    await sleep(EXIT_PAUSE_MS)
  }
}
