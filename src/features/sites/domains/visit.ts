import type { Duplex } from 'node:stream'
import { checkServerIdentity, connect } from 'node:tls'
import { needsCertificate } from '#features/certificates/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Host } from '#platform/host/host.ts'

const LIMIT_MS = 15_000
const LONGEST_HEAD = 65_536
const PORTS = { http: 80, https: 443 } as const

export interface Visited {
  readonly status: number
  /** Where the visitor is sent. */
  readonly location: string | undefined
}

/** Asks the edge of a server for the front page under a name, from the server itself, over HTTPS where it is due. */
export const visit = async (host: Host, hostname: string, stop: AbortSignal): Promise<Visited> => {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LIMIT_MS)])
  const isSecure = needsCertificate(hostname)
  const plain = await host.dial({ port: isSecure ? PORTS.https : PORTS.http }, { signal })
  const end = () => plain.destroy()
  signal.addEventListener('abort', end, { once: true })
  try {
    const connection = isSecure ? await secured(plain, hostname) : plain
    connection.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
    return parseHead(await headOf(connection), hostname)
  } finally {
    signal.removeEventListener('abort', end)
    plain.destroy()
  }
}

/** Who signed the certificate is the authority's business; here it only has to be for this name. */
const secured = (plain: Duplex, hostname: string): Promise<Duplex> =>
  new Promise((resolve, reject) => {
    const socket = connect({ socket: plain, servername: hostname, rejectUnauthorized: false }, () => {
      const wrong = checkServerIdentity(hostname, socket.getPeerCertificate())
      if (wrong) reject(new Problem('conflict', `${hostname} is served with a certificate for another domain.`))
      else resolve(socket)
    })
    const fail = () => reject(new Problem('conflict', `${hostname} can't be reached over HTTPS.`))
    socket.on('error', fail).on('close', fail)
  })

const headOf = async (connection: AsyncIterable<Buffer>): Promise<string> => {
  let head = ''
  for await (const chunk of connection) {
    head += chunk.toString('latin1')
    if (head.includes('\r\n\r\n') || head.length > LONGEST_HEAD) break
  }
  return head
}

const parseHead = (head: string, hostname: string): Visited => {
  const [, status] = /^HTTP\/1\.[01] (\d{3}) /.exec(head) ?? []
  if (status === undefined) throw new Problem('conflict', `${hostname} doesn't return a valid response.`)
  return { status: Number(status), location: /^location: *(.*)\r$/im.exec(head)?.[1] }
}
