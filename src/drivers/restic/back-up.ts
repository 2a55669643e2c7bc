import { z } from 'zod'
import { type Repository, ResticError, resticArgv } from './restic.ts'

const LIMIT_MS = 12 * 3_600_000
/**
 * restic opens files with a call that waits. Where a site puts a pipe in the place of a file at this very moment, it would
 * wait until the limit.
 */
const STALL_MS = 5 * 60_000
const INCOMPLETE = 3

const Status = z.object({
  message_type: z.literal('status'),
  bytes_done: z.number().default(0),
  files_done: z.number().default(0),
  total_bytes: z.number(),
})
const Summary = z.object({
  message_type: z.literal('summary'),
  snapshot_id: z.string(),
  total_bytes_processed: z.number(),
  total_files_processed: z.number(),
  data_added_packed: z.number(),
})
const Failed = z.object({
  message_type: z.literal('error'),
  error: z.object({ message: z.string() }),
  item: z.string().optional(),
})
const Line = z.union([Status, Summary, Failed])

export interface Wanted {
  readonly path: string
  /** Snapshots of one host and path build on each other. */
  readonly host: string
  readonly tag: string
}

export interface Taken {
  readonly snapshotId: string
  readonly sizeBytes: number
  readonly addedBytes: number
  readonly files: number
}

type OnProgress = (doneBytes: number, totalBytes: number) => void

/** A snapshot of all that is below the path. Files that vanish while it is taken are no part of it; any other gap is a failure. */
export const backUp = async (
  { run, folder }: Repository,
  { path, host, tag }: Wanted,
  onProgress: OnProgress,
  stallMs = STALL_MS,
): Promise<Taken> => {
  let summary: z.infer<typeof Summary> | undefined
  using watch = new StallWatch(stallMs)
  const lines = lineReader(text => {
    const line = parseLine(text)
    if (line?.message_type === 'summary') summary = line
    if (line?.message_type !== 'status') return
    watch.see(`${line.files_done} ${line.bytes_done} ${line.total_bytes}`)
    onProgress(line.bytes_done, line.total_bytes)
  })
  const argv = resticArgv(folder, 'backup', '--json', '--host', host, '--tag', tag, path)
  const { signal } = watch
  const { exitCode, stderr } = await run(argv, { onStdout: lines.take, timeoutMs: LIMIT_MS, signal })
  lines.end()
  const isWhole = exitCode === 0 || (exitCode === INCOMPLETE && gapsIn(stderr).length === 0)
  if (!isWhole || !summary) throw new ResticError(exitCode, failureOf(exitCode), stderr)
  return {
    snapshotId: summary.snapshot_id,
    sizeBytes: summary.total_bytes_processed,
    addedBytes: summary.data_added_packed,
    files: summary.total_files_processed,
  }
}

/** Its signal is aborted once the figures, from the first ones on, have stayed the same for so long. */
class StallWatch {
  readonly #stalled = new AbortController()
  readonly #stallMs: number
  #timer: NodeJS.Timeout | undefined
  #seen = ''

  constructor(stallMs: number) {
    this.#stallMs = stallMs
  }

  get signal(): AbortSignal {
    return this.#stalled.signal
  }

  see(figures: string): void {
    if (figures === this.#seen) return
    this.#seen = figures
    clearTimeout(this.#timer)
    const error = new ResticError(-1, 'the backup came to a halt: a file of the site could not be read')
    this.#timer = setTimeout(() => this.#stalled.abort(error), this.#stallMs)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }
}

const failureOf = (exitCode: number): string =>
  exitCode === INCOMPLETE ? 'some files could not be read' : `restic backup ended with exit code ${exitCode}`

const parseLine = (text: string): z.infer<typeof Line> | undefined => {
  try {
    return Line.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** What could not be read although it is there. restic has no code for a file that is gone, only the system's words. */
export const gapsIn = (stderr: string): string[] =>
  stderr
    .split('\n')
    .map(parseLine)
    .flatMap(line => (line?.message_type === 'error' ? [line.error.message] : []))
    .filter(message => !message.endsWith('no such file or directory'))

/** Whole lines of an output that comes in pieces. */
const lineReader = (onLine: (text: string) => void) => {
  const decoder = new TextDecoder()
  let held = ''
  return {
    take: (chunk: Buffer) => {
      const lines = (held + decoder.decode(chunk, { stream: true })).split('\n')
      held = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    },
    end: () => {
      if (held !== '') onLine(held)
    },
  }
}
