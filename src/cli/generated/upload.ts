import { randomUUID } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { type AnyArgs, callHeaders, callUrl } from '#platform/contract/client.ts'
import type { Endpoint, UploadNotes } from '#platform/contract/endpoint.ts'
import { EXIT, errnoOf, Failure } from '../failure.ts'
import type { Connection } from './connection.ts'
import { readAnswer, type SentBody } from './transport.ts'

interface Source {
  name: string
  bytes: Readable
  sizeBytes: number | undefined
}

const STDIN = '-'

const openSource = (file: string): Source => {
  if (file === STDIN) {
    if (process.stdin.isTTY) throw new Failure('Choose the file to send with --file, or pipe it in.', EXIT.usage)
    return { name: 'stdin', bytes: process.stdin, sizeBytes: undefined }
  }
  try {
    const stat = statSync(file)
    if (stat.isDirectory()) throw new Failure(`${file} is a folder: choose a file.`, EXIT.usage)
    // What is not a plain file, such as a pipe of the shell, has no length yet.
    return { name: basename(file), bytes: createReadStream(file), sizeBytes: stat.isFile() ? stat.size : undefined }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${file} can't be read (${errnoOf(error)}): choose another file.`, EXIT.usage)
  }
}

const quoted = (text: string) => text.replace(/["\r\n]/g, sign => encodeURIComponent(sign))

async function* joined(...parts: (string | AsyncIterable<Buffer>)[]) {
  for (const part of parts) {
    if (typeof part === 'string') yield Buffer.from(part)
    else yield* part
  }
}

/** The fields first, as the panel wants them, then the file. */
const formBody = (part: string, source: Source, fields: unknown): SentBody => {
  const boundary = `fleetpress-${randomUUID()}`
  const head = (name: string, more: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${more}\r\n\r\n`
  const texts = Object.entries(fields ?? {}).map(([name, value]) => `${head(name, '')}${String(value)}\r\n`)
  const file = `; filename="${quoted(source.name)}"\r\nContent-Type: application/octet-stream`
  const before = texts.join('') + head(part, file)
  const after = `\r\n--${boundary}--\r\n`
  const { bytes, sizeBytes } = source
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    sizeBytes: sizeBytes === undefined ? undefined : Buffer.byteLength(before + after) + sizeBytes,
    content: Readable.from(joined(before, bytes, after)),
  }
}

const bodyOf = ({ part, maxBytes }: UploadNotes, source: Source, fields: unknown): SentBody => {
  const { bytes, sizeBytes } = source
  if (sizeBytes !== undefined && sizeBytes > maxBytes)
    throw new Failure(`The file has ${sizeBytes} bytes. The limit is ${maxBytes}.`, EXIT.usage)
  if (part !== undefined) return formBody(part, source, fields)
  return { type: 'application/octet-stream', sizeBytes, content: bytes }
}

/** Sends a file, or what is piped in. */
export const upload = async (
  connection: Connection,
  endpoint: Endpoint & { upload: UploadNotes },
  args: AnyArgs,
  file = STDIN,
): Promise<unknown> =>
  readAnswer(
    await connection.open({
      method: endpoint.method,
      url: callUrl(endpoint, args),
      headers: callHeaders(args),
      body: bodyOf(endpoint.upload, openSource(file), args.body),
    }),
  )
