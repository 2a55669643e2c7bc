import type { Outgoing } from './client.ts'

/** The fields first, as the panel wants them, then the file. */
const formOf = (part: string, file: Blob, fields: unknown): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields ?? {})) form.set(name, String(value))
  form.set(part, file)
  return form
}

/** The body as `fetch` takes it, and its content type where `fetch` does not set it itself. */
export const fetchBody = ({ body, upload }: Outgoing): { body?: string | Blob | FormData; type?: string } => {
  if (upload?.part !== undefined) return { body: formOf(upload.part, upload.file, body) }
  if (upload) return { body: upload.file, type: 'application/octet-stream' }
  return body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' }
}
