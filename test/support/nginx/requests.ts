import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { request as secureRequest } from 'node:https'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Asked {
  readonly port: number
  readonly host: string
  readonly path?: string
  readonly method?: string
  /** The name in the TLS handshake; plain HTTP if absent. */
  readonly secureName?: string
  readonly headers?: Record<string, string>
  readonly from?: string
  readonly agent?: Agent
}

/** A visitor. Like a browser, it repeats a request that meets a kept connection in the moment of its closing. */
export const ask = async (asked: Asked): Promise<Answer> => {
  try {
    return await askOnce(asked)
  } catch (error) {
    if (error instanceof ClosedMeanwhile) return ask(asked)
    throw error
  }
}

class ClosedMeanwhile extends Error {}

const askOnce = ({
  port,
  host,
  path = '/',
  method = 'GET',
  secureName,
  headers = {},
  from,
  agent,
}: Asked): Promise<Answer> => {
  const own = agent ?? new Agent()
  const place = { host: '127.0.0.1', port, path, method, headers: { ...headers, host }, timeout: 10_000 }
  const sent =
    secureName === undefined
      ? request({ ...place, agent: own, ...(from !== undefined && { localAddress: from }) })
      : secureRequest({ ...place, agent: false, servername: secureName, rejectUnauthorized: false })
  return new Promise((resolve, reject) => {
    sent.on('response', response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        if (agent === undefined) own.destroy()
        const body = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer within 10 s')))
    sent.on('error', error => {
      const isMeanwhile = sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET'
      reject(isMeanwhile ? new ClosedMeanwhile() : error)
    })
    sent.end()
  })
}
