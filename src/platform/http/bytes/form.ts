import { type Readable, Transform } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { UploadNotes } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { tooLarge } from './bounded-body.ts'
import type { Received } from './upload.ts'

/** Of fields that come before the file: more are in no contract. */
const MOST_FIELDS = 50
const FIELD_BYTES = 16_384

const wrongForm = (path: string, message: string) =>
  new Problem('validation_error', `The form is invalid. ${path === '' ? 'It' : path} ${message}.`, [
    { in: 'body', path, message },
  ])

/** The fields of a form, each once and before the file. */
class Fields {
  readonly #values = new Map<string, string>()

  /** Returns what is wrong with it. */
  add(name: string, value: string, isCut: boolean): string | undefined {
    if (this.#values.has(name)) return 'appears twice'
    if (isCut || this.#values.size >= MOST_FIELDS) return 'is too large'
    if (value.includes('\0')) return 'contains a NUL character'
    this.#values.set(name, value)
    return undefined
  }

  toObject(): Record<string, string> {
    return Object.fromEntries(this.#values)
  }
}

/** The file of a form as its handler reads it. It ends only when all of the form was right. */
class FormFile extends Transform {
  readonly #maxBytes: number
  #received = 0
  #isWhole = false
  #finish: (() => void) | undefined

  constructor(maxBytes: number) {
    super()
    this.#maxBytes = maxBytes
    this.on('error', () => {})
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: Error | null, chunk?: Buffer) => void): void {
    this.#received += chunk.length
    if (this.#received > this.#maxBytes) done(tooLarge(this.#maxBytes))
    else done(null, chunk)
  }

  override _flush(done: () => void): void {
    if (this.#isWhole) done()
    else this.#finish = done
  }

  formIsWhole(): void {
    this.#isWhole = true
    this.#finish?.()
  }
}

const openForm = (contentType: string | undefined) => {
  try {
    return new Busboy({
      headers: { 'content-type': contentType ?? '' },
      limits: { fieldSize: FIELD_BYTES, headerPairs: 20, headerSize: FIELD_BYTES },
    })
  } catch {
    throw wrongForm('', 'has no boundary in its content type')
  }
}

/** Reads a form up to its file, which the handler then reads itself. */
export const readForm = (
  body: Readable,
  contentType: string | undefined,
  { part, maxBytes }: Required<UploadNotes>,
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const form = openForm(contentType)
    const fields = new Fields()
    let file: FormFile | undefined
    const fail = (error: Error) => {
      body.unpipe(form)
      file?.destroy(error)
      reject(error)
    }
    form.on('field', (name, value, _, isCut) => {
      const wrong = file ? 'comes after the file; send it before' : fields.add(name, value, isCut)
      if (wrong) fail(wrongForm(name, wrong))
    })
    form.on('file', (name, stream, filename) => {
      stream.on('error', fail)
      if (name !== part) return fail(wrongForm(name, `is a file; the file goes into the part ${part}`))
      if (file) return fail(wrongForm(name, 'appears twice'))
      file = stream.pipe(new FormFile(maxBytes))
      return resolve({ upload: { bytes: file, sizeBytes: undefined, filename }, fields: fields.toObject() })
    })
    form.on('error', () => fail(wrongForm('', 'is cut off or not multipart/form-data')))
    form.on('finish', () => (file ? file.formIsWhole() : fail(wrongForm(part, 'is missing: it must contain the file'))))
    body.on('error', fail)
    body.pipe(form)
  })
