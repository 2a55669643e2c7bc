import type { Socket } from 'node:net'
import { Problem } from '#platform/contract/problem.ts'

/** No route is here, and none can be. */
const NOWHERE = '//'

const canBeDecoded = (url: string): boolean => {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

/** An address with broken escapes goes past every guard like any other, to a place where nothing is. */
export const readableUrl = (url = '/'): string => (canBeDecoded(url) ? url : NOWHERE)

export const nothingHere = (isReadable: boolean): Problem =>
  isReadable
    ? new Problem('not_found', 'There is nothing at this address. /docs lists every endpoint.')
    : new Problem('validation_error', "The address can't be read. Encode it as UTF-8 with % escapes.", [
        { in: 'address', path: '', message: 'contains an invalid escape' },
      ])

const notHttp = (error: NodeJS.ErrnoException): Problem =>
  new Problem('validation_error', 'This is not a valid HTTP request.', [
    { in: 'request', path: '', message: error.code ?? 'not HTTP' },
  ])

/** What is not HTTP at all never becomes a request; it is answered in the same words, and the connection ends. */
export const answerUnreadable = (headers: Record<string, string>) => (error: NodeJS.ErrnoException, socket: Socket) => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const body = JSON.stringify(notHttp(error).toBody())
  const fields = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  if (socket.writable) socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`)
  else socket.destroy()
}
