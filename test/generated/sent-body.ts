import type { Endpoint } from '#platform/contract/endpoint.ts'
import { formOf } from './planted-bytes.ts'

/** A body as it goes out. */
export interface SentBody {
  headers: Record<string, string>
  raw?: string | Buffer
}

const BYTES = Buffer.from('some bytes \0\xff', 'latin1')

/** The body of a right request: JSON, or bytes where the contract takes those. */
export const sentBody = ({ upload }: Endpoint, body: unknown): SentBody => {
  if (upload?.part !== undefined) {
    const fields = Object.entries(body ?? {}).map(([name, value]) => ({ name, content: String(value) }))
    return formOf([...fields, { name: upload.part, filename: 'sample.bin', content: BYTES }])
  }
  if (upload) return { headers: { 'content-type': 'application/octet-stream' }, raw: BYTES }
  if (body === undefined) return { headers: {} }
  return { headers: { 'content-type': 'application/json' }, raw: JSON.stringify(body) }
}
