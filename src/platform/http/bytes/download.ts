import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DownloadNotes, PARTIAL, UNCHANGED } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { HttpProblem } from '../http-problem.ts'
import { conditionsOf, isAmong } from './conditions.ts'
import { type Pace, watchPace } from './pace.ts'
import { type ByteRange, rangeIn } from './range.ts'

/** Bytes for a caller. They are opened only when they are really sent, and destroyed when the caller leaves. */
export interface Download {
  /** The name under which it is saved. */
  filename: string
  /** Left out when it is not known before the end. */
  sizeBytes?: number
  /** What changes whenever the bytes do, such as their hash; without quotes. */
  etag?: string
  open(): Readable | Promise<Readable>
}

/** The same where parts can be asked for: anyone who resumes has to know that the bytes are still the same. */
export interface RangedDownload extends Download {
  sizeBytes: number
  etag: string
  /** Undefined for all of it. */
  open(range?: ByteRange): Readable | Promise<Readable>
}

/** What an answer that is not a download after all must not say. */
export const DOWNLOAD_HEADERS = ['content-length', 'content-disposition', 'etag', 'accept-ranges', 'content-range']

/** A reader may pause, but not for ever: what it reads is held open on a server. */
const READING_PACE: Pace = { windowMs: 300_000, minBytes: 1 }

const quoted = (etag: string) => `"${etag}"`

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Never shown in the panel's own pages: whatever a site holds is only saved. */
const disposition = (filename: string): string => {
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded(filename.toWellFormed())}`
}

/** The part that is asked for, if the caller's first part is of these very bytes. */
const wantedRange = ({ headers }: FastifyRequest, { sizeBytes, etag }: RangedDownload): ByteRange | undefined => {
  const condition = headers['if-range']
  if (condition !== undefined && condition !== quoted(etag)) return undefined
  const range = rangeIn(headers.range, sizeBytes)
  if (range !== null) return range
  throw new HttpProblem(
    416,
    'validation_error',
    `There are only ${sizeBytes} bytes. Request a range within them.`,
    [{ in: 'header', path: 'Range', message: `starts after the end (${sizeBytes} bytes)` }],
    { 'content-range': `bytes */${sizeBytes}` },
  )
}

const refuseChanged = (request: FastifyRequest, { etag }: Download): 'unchanged' | 'send' => {
  const { ifMatch, ifNoneMatch } = conditionsOf(request.headers)
  if (ifMatch !== undefined && !isAmong(ifMatch, etag))
    throw new Problem('precondition_failed', 'It was changed in the meantime. Start the download again.', {
      etag: etag ?? null,
    })
  return ifNoneMatch !== undefined && isAmong(ifNoneMatch, etag) ? 'unchanged' : 'send'
}

/** Exactly as many bytes as were announced: an answer that ends too early must not look complete. */
const exactly = (expectedBytes: number): Transform => {
  let sent = 0
  const check = () => (sent === expectedBytes ? null : new Error(`received ${sent} of ${expectedBytes} bytes`))
  return new Transform({
    transform(chunk: Buffer, _, done) {
      sent += chunk.length
      if (sent > expectedBytes) done(check())
      else done(null, chunk)
    },
    flush: done => done(check()),
  })
}

const counted = (source: Readable, expectedBytes: number | undefined): Readable => {
  if (expectedBytes === undefined) return source
  const counter = exactly(expectedBytes)
  source.on('error', error => counter.destroy(error))
  source.on('close', () => {
    if (!source.readableEnded) counter.destroy(new Error('the bytes ended too early'))
  })
  counter.on('close', () => source.destroy())
  return source.pipe(counter)
}

/** Answers with all or a part of it, or says that the caller has it already. */
export const sendDownload = async (
  request: FastifyRequest,
  reply: FastifyReply,
  notes: DownloadNotes,
  download: Download,
): Promise<FastifyReply> => {
  const { etag, sizeBytes, filename } = download
  const isUnchanged = refuseChanged(request, download) === 'unchanged'
  if (etag !== undefined) reply.header('etag', quoted(etag))
  if (isUnchanged) return reply.code(UNCHANGED).send()
  const ranged = notes.ranges ? (download as RangedDownload) : undefined
  const range = ranged && wantedRange(request, ranged)
  const length = range ? range.end - range.start + 1 : sizeBytes
  reply.type(notes.type).header('content-disposition', disposition(filename))
  if (ranged) reply.header('accept-ranges', 'bytes')
  if (range) reply.code(PARTIAL).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  if (length !== undefined) reply.header('content-length', String(length))
  if (request.method === 'HEAD') return reply.send()
  const bytes = counted(await (ranged ? ranged.open(range) : download.open()), length)
  // The caller cannot be told any more; the connection is cut, so that it does not look complete.
  bytes.once('error', error => request.log.warn({ err: error, requestId: request.id }, 'a download was interrupted'))
  watchReader(reply)
  return reply.send(bytes)
}

const watchReader = ({ raw }: FastifyReply) => {
  const flow = { moved: () => raw.socket?.bytesWritten ?? 0, waitsForCaller: () => raw.writableNeedDrain }
  raw.once(
    'close',
    watchPace(flow, READING_PACE, () => raw.destroy()),
  )
}
