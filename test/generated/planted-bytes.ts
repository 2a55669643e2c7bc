import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { Label, QueryFlag, wholeNumber } from '#platform/contract/identifiers.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Feature } from '#platform/feature.ts'
import { requireConditions } from '#platform/http/bytes/conditions.ts'
import type { ByteRange } from '#platform/http/bytes/range.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import { plant } from './planted.ts'

const MIB = 1_048_576
const GIB = 1024 * MIB

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const FileName = z.object({
  name: z
    .string()
    .max(100)
    .regex(/^[\w.-]+$/),
})
const Count = wholeNumber(0, 4 * GIB)
const common = { level: 'manage', mcp: 'no' } as const

/** An endpoint of every kind that carries bytes, as files, backups and plugins will have them. */
export const bytesContract = {
  plantedFileRead: {
    ...common,
    method: 'GET',
    path: '/api/planted/file',
    summary: 'Reads a planted file',
    query: FileName,
    download: { type: 'application/octet-stream', ranges: true },
  },
  plantedFileWrite: {
    ...common,
    method: 'PUT',
    path: '/api/planted/file',
    summary: 'Writes a planted file',
    query: FileName,
    upload: { maxBytes: 8 * MIB },
    conditional: true,
    reply: z.object({ name: z.string(), etag: z.string() }),
  },
  plantedChunk: {
    ...common,
    method: 'PUT',
    path: '/api/planted/uploads/:id',
    summary: 'Takes the next part of a planted upload',
    params: z.object({ id: Label }),
    query: z.object({ offset: Count }),
    upload: { maxBytes: 8 * MIB },
    reply: z.object({ received: z.number() }),
  },
  plantedArchive: {
    ...common,
    method: 'GET',
    path: '/api/planted/archive',
    summary: 'Packs planted files on the way',
    download: { type: 'application/gzip' },
  },
  plantedForm: {
    ...common,
    method: 'POST',
    path: '/api/planted/form',
    level: 'full',
    status: 201,
    summary: 'Takes a planted form with a file',
    body: z.strictObject({ title: Label, overwrite: QueryFlag.optional() }),
    upload: { maxBytes: 8 * MIB, part: 'file' },
    reply: z.object({ title: z.string(), filename: z.string().nullable(), sizeBytes: z.number(), sha256: z.string() }),
  },
} as const

/** What no suite with made-up requests should meet: any number of bytes, and bytes that break off. */
export const largeContract = {
  plantedBroken: {
    ...common,
    method: 'GET',
    path: '/api/planted/broken',
    summary: 'Breaks off half way',
    download: { type: 'application/gzip' },
  },
  plantedSink: {
    ...common,
    method: 'PUT',
    path: '/api/planted/large',
    summary: 'Takes any amount of planted bytes',
    upload: { maxBytes: 4 * GIB },
    reply: z.object({ sizeBytes: z.number(), sha256: z.string() }),
  },
  plantedSource: {
    ...common,
    method: 'GET',
    path: '/api/planted/large',
    summary: 'Gives any amount of planted bytes',
    query: z.object({ size: Count }),
    download: { type: 'application/octet-stream', ranges: true },
  },
} as const

/** What the handlers know and saw. */
export interface BytesSeen {
  files: Map<string, Buffer>
  uploads: Map<string, number>
  /** Bytes that were opened to be sent, and how many of those streams are closed by now. */
  opened: number
  closed: number
  /** Uploads that reached their handler. */
  begun: number
  /** Why uploads that failed did. */
  failures: unknown[]
}

const BLOCK = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 31) % 251))

/** The same endless pattern from any place on, made as it is read. */
export const patternFrom = ({ start, end }: ByteRange): Readable => {
  let at = start
  return new Readable({
    highWaterMark: BLOCK.length,
    read() {
      const from = at % BLOCK.length
      const part = BLOCK.subarray(from, Math.min(BLOCK.length, from + end - at + 1))
      at += part.length
      this.push(part.length > 0 ? part : null)
    },
  })
}

const digest = async (bytes: Readable) => {
  const hash = createHash('sha256')
  let sizeBytes = 0
  await pipeline(bytes, async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk)
      sizeBytes += chunk.length
    }
    yield* []
  })
  return { sizeBytes, sha256: hash.digest('hex') }
}

const watched = (seen: BytesSeen, stream: Readable): Readable => {
  seen.opened += 1
  stream.once('close', () => void (seen.closed += 1))
  return stream
}

const fileOf = ({ files }: BytesSeen, name: string): Buffer => {
  const file = files.get(name)
  if (!file) throw new Problem('not_found', 'There is no such file. List the folder to see what is there.')
  return file
}

const etagOf = (file: Buffer | undefined) => (file === undefined ? undefined : sha256(file))

async function* archive(fails: boolean) {
  yield 'first part,'
  await new Promise(resolve => setTimeout(resolve, 20))
  if (fails) throw new Error('the server was lost')
  yield 'second part'
}

const handlers = (seen: BytesSeen): Handlers<typeof bytesContract> => ({
  plantedFileRead: async ({ query: { name } }) => {
    if (name === 'unreachable')
      return {
        filename: name,
        sizeBytes: 1,
        etag: name,
        open: () => {
          throw new Problem('conflict', 'The server is offline.')
        },
      }
    const file = fileOf(seen, name)
    const open = (range: ByteRange = { start: 0, end: file.length - 1 }) =>
      watched(seen, Readable.from([file.subarray(range.start, range.end + 1)]))
    return { filename: name, sizeBytes: file.length, etag: sha256(file), open }
  },
  plantedFileWrite: async ({ query: { name }, upload, conditions }) => {
    requireConditions(conditions, etagOf(seen.files.get(name)))
    const file = await buffer(upload.bytes)
    seen.files.set(name, file)
    return { name, etag: sha256(file) }
  },
  plantedChunk: async ({ params: { id }, query: { offset }, upload }) => {
    const received = seen.uploads.get(id) ?? 0
    if (offset !== received) throw new Problem('conflict', 'Continue where the upload ended.', { received })
    const { sizeBytes } = await digest(upload.bytes)
    seen.uploads.set(id, received + sizeBytes)
    return { received: received + sizeBytes }
  },
  plantedArchive: async () => ({
    filename: 'archive – größe.tar.gz',
    open: () => watched(seen, Readable.from(archive(false))),
  }),
  plantedForm: async ({ body, upload }) => ({
    title: body.title,
    filename: upload.filename ?? null,
    ...(await digest(upload.bytes)),
  }),
})

const largeHandlers = (seen: BytesSeen): Handlers<typeof largeContract> => ({
  plantedBroken: async () => ({ filename: 'x', open: () => watched(seen, Readable.from(archive(true))) }),
  plantedSink: async ({ upload }) => {
    seen.begun += 1
    try {
      return await digest(upload.bytes)
    } catch (error) {
      seen.failures.push(error)
      throw error
    }
  },
  plantedSource: async ({ query: { size } }) => ({
    filename: `${size}.bin`,
    sizeBytes: size,
    etag: `pattern-${size}`,
    open: (range = { start: 0, end: size - 1 }) => watched(seen, patternFrom(range)),
  }),
})

export const newBytesSeen = (): BytesSeen => ({
  files: new Map([['hello.txt', Buffer.from('hello, world')]]),
  uploads: new Map(),
  opened: 0,
  closed: 0,
  begun: 0,
  failures: [],
})

export const plantedBytes = (seen: BytesSeen = newBytesSeen()): Feature =>
  plant(bytesContract, handlers(seen), { group: 'Planted' })
export const plantedLarge = (seen: BytesSeen): Feature => plant(largeContract, largeHandlers(seen))

const CRLF = '\r\n'

export interface FormPart {
  name: string
  filename?: string
  content: string | Buffer
}

/** A multipart form with these parts, in this order. */
export const formOf = (parts: readonly FormPart[], boundary = `planted-${randomUUID()}`) => {
  const pieces = parts.flatMap(({ name, filename, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const type = filename === undefined ? '' : `Content-Type: application/octet-stream${CRLF}`
    const head = `--${boundary}${CRLF}Content-Disposition: form-data; name="${name}"${file}${CRLF}${type}${CRLF}`
    return [Buffer.from(head), Buffer.from(content), Buffer.from(CRLF)]
  })
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    raw: Buffer.concat([...pieces, Buffer.from(`--${boundary}--${CRLF}`)]),
  }
}
