import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { TLSSocket } from 'node:tls'
import { WebSocket } from 'ws'

interface Answered {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** Who signed the certificate; empty without TLS. */
  issuer: string
}

interface Asked {
  path?: string
  key?: string
  body?: unknown
}

export interface Visitor {
  https(hostname: string, asked?: Asked): Promise<Answered>
  http(hostname: string, asked?: Asked): Promise<Answered>
  /** Types a line into the terminal of server 1, and gives what it shows until the pattern is there. */
  terminal(hostname: string, key: string, line: string, pattern: RegExp): Promise<string>
}

const LIMIT_MS = 10_000

const headersFor = (hostname: string, key?: string) => ({
  host: hostname,
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
})

/** Someone elsewhere whose name server knows the machine and who trusts the authority. */
export const visitor = (address: string, ca: string): Visitor => {
  const ask = async (request: typeof httpsRequest, hostname: string, asked: Asked): Promise<Answered> => {
    const { path = '/', key, body } = asked
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { ...headersFor(hostname, key), ...json }
    const method = body === undefined ? 'GET' : 'POST'
    const place = { host: address, servername: hostname, path, ca, agent: false }
    const sent = request({ ...place, method, headers, signal: AbortSignal.timeout(LIMIT_MS) })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const issuer = answer.socket instanceof TLSSocket ? answer.socket.getPeerCertificate().issuer.CN : ''
    const text = (await answer.toArray()).join('')
    return { status: answer.statusCode ?? 0, headers: answer.headers, text, issuer: String(issuer) }
  }
  return {
    https: (hostname, asked = {}) => ask(httpsRequest, hostname, asked),
    http: (hostname, asked = {}) => ask(httpRequest, hostname, asked),
    terminal: async (hostname, key, line, pattern) => {
      const options = { ca, servername: hostname, headers: headersFor(hostname, key), handshakeTimeout: LIMIT_MS }
      const socket = new WebSocket(`wss://${address}/api/servers/1/terminal`, options)
      let shown = ''
      await once(socket, 'open')
      socket.send(Buffer.from(`${line}\r`))
      for (const until = Date.now() + LIMIT_MS; !pattern.test(shown); ) {
        if (Date.now() > until) throw new Error(`the terminal shows ${shown}`)
        const [data] = await once(socket, 'message', { signal: AbortSignal.timeout(LIMIT_MS) })
        shown += String(data)
      }
      socket.terminate()
      return pattern.exec(shown)?.[1] ?? ''
    },
  }
}
