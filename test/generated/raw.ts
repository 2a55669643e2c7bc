import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { TestPanel } from '#test/support/panel.ts'
import type { Seen } from './answers.ts'

/** What came back over a socket; status 0 when the connection was closed without an answer. */
export type RawAnswer = Seen

const PATIENCE_MS = 10_000

/** A port of the loopback that no one has, for `FLEETPRESS_PORT`. */
export const freePort = async (): Promise<string> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

/** Lets the panel answer on its port; `stop` of the panel ends it. */
export const listening = async ({ server, config }: TestPanel): Promise<number> => {
  await server.listen({ host: '127.0.0.1', port: config.port })
  return config.port
}

const parse = (text: string): RawAnswer => {
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...fields] = text.slice(0, end === -1 ? undefined : end).split('\r\n')
  const headers: Seen['headers'] = {}
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
  }
  return { status: Number(line.split(' ')[1] ?? 0), headers, text: end === -1 ? '' : text.slice(end + 4) }
}

/** Sends bytes as they are and reads until the panel closes the connection. */
export const sendBytes = async (port: number, bytes: string | Buffer): Promise<RawAnswer> => {
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the panel did not close the connection')))
  socket.on('data', (part: Buffer) => parts.push(part))
  // A panel that refuses half way closes the connection on what is still being sent.
  socket.on('error', () => {})
  socket.write(bytes, 'latin1' as BufferEncoding)
  await once(socket, 'close')
  return parse(Buffer.concat(parts).toString('utf8'))
}

export interface RawRequest {
  method: string
  /** The request target exactly as it is sent. */
  target: string
  headers?: Record<string, string>
  body?: string
}

/** One request on its own connection, spelled exactly as given. */
export const sendRaw = (port: number, { method, target, headers = {}, body }: RawRequest): Promise<RawAnswer> => {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const all = { Host: `localhost:${port}`, Connection: 'close', ...length, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return sendBytes(port, `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`)
}

/** Works through a list, so many at a time. */
export const inParallel = async <T>(items: readonly T[], width: number, work: (item: T) => Promise<void>) => {
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
