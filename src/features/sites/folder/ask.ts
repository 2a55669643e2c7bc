import { PassThrough, Readable } from 'node:stream'
import type { z } from 'zod'
import { execIn } from '#drivers/docker/exec.ts'
import { dockerOf } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { exec, pipe, withStdin } from '#platform/host/command.ts'
import { CommandFailed } from '#platform/host/errors.ts'
import { AnswerReader } from './answer-reader.ts'
import type { SiteFolder } from './open-folder.ts'

/** What `site-files` in the image of a site reads; images/site/site-files/main.go lists what each operation needs. */
export interface FilesRequest {
  readonly op: string
  readonly path?: string
  readonly [field: string]: unknown
}

export interface AskOptions {
  /** Bytes that follow the request. */
  readonly input?: Readable | Buffer
  readonly signal?: AbortSignal | undefined
  /** A minute if absent. */
  readonly timeoutMs?: number
  readonly onProgress?: (done: number, total: number) => void
}

/** The program is not in images from before it was written. */
const NOT_FOUND_EXIT_CODES = [126, 127]

/** One operation on the files of a site. What comes back was said inside the site, so it is checked like any input. */
export const ask = async <T>(
  folder: SiteFolder,
  request: FilesRequest,
  schema: z.ZodType<T>,
  options: AskOptions = {},
): Promise<T> => {
  const reader = new AnswerReader(options.onProgress)
  await converse(folder, request, reader, options)
  return schema.parse(reader.answer())
}

/** The same for an operation whose answer has bytes behind it. They must be read to the end, or destroyed. */
export const askForBytes = async <T>(
  folder: SiteFolder,
  request: FilesRequest,
  schema: z.ZodType<T>,
  options: AskOptions = {},
): Promise<{ answer: T; bytes: Readable }> => {
  const bytes = new PassThrough()
  const left = new AbortController()
  bytes.once('close', () => left.abort(new Error('the reader has left')))
  const reader = new AnswerReader(options.onProgress, bytes)
  const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal])
  const ended = converse(folder, request, reader, { ...options, signal }).then(
    () => void bytes.end(),
    (error: unknown) => {
      bytes.destroy(error instanceof Error ? error : new Error('the program ended'))
      throw error
    },
  )
  // Anyone who reads the bytes sees the failure there.
  ended.catch(() => {})
  bytes.on('error', () => {})
  await Promise.race([reader.isAnswered, ended])
  return { answer: schema.parse(reader.answer()), bytes }
}

const converse = async (
  { host, container }: SiteFolder,
  request: FilesRequest,
  reader: AnswerReader,
  { input, signal, timeoutMs }: AskOptions,
): Promise<void> => {
  const stdin = Readable.from(framed(request, input), { objectMode: false })
  const exchange = execIn(dockerOf(host), container, ['site-files'], {
    stdin,
    onStdout: chunk => reader.take(chunk),
    signal,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  const { exitCode } = await exchange.catch((error: unknown) => {
    // What went wrong with the input or the answer, such as a body that is too long, says more than that it was ended.
    throw stdin.errored ?? reader.failure ?? error
  })
  if (NOT_FOUND_EXIT_CODES.includes(exitCode))
    throw new Problem('conflict', "This site's container is from an older version. Reconcile the site, then try again.")
  if (exitCode !== 0) throw new Problem('bad_gateway', 'The site ended the work on its files. Try again.')
}

/** What `cat` ends with when the program has answered before it has read everything. */
const REFUSED_EARLY = 141

/** The same with input that lies on the server, written there by `framesOf`: it does not travel again. */
export const askWithFile = async <T>(
  { host, container }: SiteFolder,
  request: FilesRequest,
  file: string,
  schema: z.ZodType<T>,
  { signal, timeoutMs, onProgress }: Omit<AskOptions, 'input'> = {},
): Promise<T> => {
  const reader = new AnswerReader(onProgress)
  const given = withStdin(exec('cat', '-', file), lineOf(request))
  const program = exec('docker', 'exec', '--interactive', '--', container, 'site-files')
  const options = {
    onStdout: (chunk: Buffer) => reader.take(chunk),
    signal,
    timeoutMs,
    allowExitCodes: [REFUSED_EARLY],
  }
  await host.stream(pipe(given, program), options).catch((error: unknown) => {
    if (!(error instanceof CommandFailed)) throw error
    throw new Problem('bad_gateway', 'The site ended the work on its files. Try again.')
  })
  return schema.parse(reader.answer())
}

const LONGEST_FRAME_BYTES = 2 ** 20

const lineOf = (request: FilesRequest): string => `${JSON.stringify(request)}\n`

async function* framed(request: FilesRequest, input: AskOptions['input']): AsyncGenerator<Buffer> {
  yield Buffer.from(lineOf(request))
  yield* framesOf(input)
}

/** Each piece has its length before it, and an empty one is the end: input that was cut off never looks whole. */
export async function* framesOf(input: AskOptions['input']): AsyncGenerator<Buffer> {
  const pieces = input instanceof Readable ? (input as AsyncIterable<Buffer>) : input === undefined ? [] : [input]
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += LONGEST_FRAME_BYTES) {
      const frame = piece.subarray(at, at + LONGEST_FRAME_BYTES)
      yield lengthOf(frame.length)
      yield frame
    }
  }
  yield lengthOf(0)
}

const lengthOf = (bytes: number): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}
