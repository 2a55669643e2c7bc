import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { UploadNotes } from '#platform/contract/endpoint.ts'
import { readForm } from './form.ts'

/** Bytes on their way from a caller. The stream fails when the caller leaves or sends more than the contract allows. */
export interface Upload {
  readonly bytes: Readable
  /** What the caller says it will be; known only where the bytes are the whole body. */
  readonly sizeBytes: number | undefined
  /** What the caller's form calls the file. It may say anything. */
  readonly filename: string | undefined
}

/** An upload, and the fields that came before it in its form. */
export interface Received {
  upload: Upload
  fields: unknown
}

/** What the fields of a form and the borders of its parts may take next to the file. */
export const FORM_MARGIN_BYTES = 65_536

const RAW_TYPE = 'application/octet-stream'
const FORM_TYPE = 'multipart/form-data'

export const uploadType = ({ part }: UploadNotes): string => (part === undefined ? RAW_TYPE : FORM_TYPE)

/** Routes in here take bodies of this type only, and nothing reads them before the handler does. */
export const takeBytes = (server: FastifyInstance, notes: UploadNotes): void => {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(uploadType(notes), (_, body, done) => done(null, body))
}

export const readUpload = async (request: FastifyRequest, notes: UploadNotes): Promise<Received> => {
  // A request without a body has an empty one.
  const body = request.body instanceof Readable ? request.body : Readable.from([])
  if (notes.part !== undefined) return readForm(body, request.headers['content-type'], { ...notes, part: notes.part })
  const length = request.headers['content-length']
  const sizeBytes = length === undefined ? undefined : Number(length)
  return { upload: { bytes: body, sizeBytes, filename: undefined }, fields: undefined }
}
