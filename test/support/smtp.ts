import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Arrived {
  from: string
  to: string[]
  text: string
  encrypted: boolean
  user: string | undefined
  /** Who it came from, and what that called itself. */
  address: string
  helo: string
}

export interface SmtpServer {
  port: number
  arrived: Arrived[]
  stop(): Promise<void>
}

export interface SmtpOptions {
  login?: { user: string; password: string }
  certificate?: Certificate
  encryptedFromStart?: boolean
  /** The loopback if absent. */
  listen?: string
  /** Any free one if absent. */
  port?: number
  /** Says why a recipient is not accepted now, such as `451 later`. */
  refuse?(recipient: string): string | undefined
}

export interface Certificate {
  key: string
  cert: string
}

/** A certificate for localhost, or for an address, that signs itself. */
export const newCertificate = (address?: string): Certificate => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-cert-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const about = [
    '-subj',
    '/CN=localhost',
    '-addext',
    `subjectAltName=DNS:localhost${address === undefined ? '' : `,IP:${address}`}`,
  ]
  try {
    execFileSync('openssl', ['req', ...kind, ...about, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes this process trust the certificate until the returned function is called. */
export const trust = ({ cert }: Pick<Certificate, 'cert'>): (() => void) => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, cert])
  return () => setDefaultCACertificates(before)
}

const handlers = ({ login, refuse }: SmtpOptions, arrived: Arrived[]): SMTPServerOptions => ({
  onRcptTo: ({ address }, _session, done) => {
    const [code, ...words] = refuse?.(address)?.split(' ') ?? []
    done(code === undefined ? null : Object.assign(new Error(words.join(' ')), { responseCode: Number(code) }))
  },
  onAuth: ({ username, password }, _session, done) =>
    username === login?.user && password === login?.password
      ? done(null, { user: username })
      : done(new Error('Invalid username or password')),
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope
      arrived.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString('utf8'),
        encrypted: session.secure,
        user: session.user,
        address: session.remoteAddress,
        helo: session.hostNameAppearsAs,
      })
      done()
    })
  },
})

/** A mail server on the loopback; with a certificate it offers STARTTLS, with a login it asks for one. */
export const startSmtp = (options: SmtpOptions = {}): Promise<SmtpServer> => {
  const arrived: Arrived[] = []
  const server = new SMTPServer({
    ...handlers(options, arrived),
    ...(options.certificate ?? { hideSTARTTLS: true }),
    ...(options.login ? {} : { authOptional: true, disabledCommands: ['AUTH'] }),
    secure: options.encryptedFromStart ?? false,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 200,
  })
  // A client that turns away from the certificate is part of the tests.
  server.on('error', () => {})
  return new Promise(resolve => {
    const listening = server.listen(options.port ?? 0, options.listen ?? '127.0.0.1', () =>
      resolve({
        port: (listening.address() as AddressInfo).port,
        arrived,
        stop: () => new Promise(done => server.close(() => done())),
      }),
    )
  })
}
