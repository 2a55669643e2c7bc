import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { freePort } from './ports.ts'
import { type Certificate, newCertificate, trust } from './smtp.ts'

export interface PebbleOptions {
  /** Where the authority asks for challenge files. */
  httpPort: number
  /** The address every name has for the authority, until `leadTo` gives them another. */
  address?: string
  /** The name server that it asks instead of its own, with its port. */
  nameServer?: string
  /** Where it listens, for others than this machine; the loopback when absent. */
  listen?: string
  /** How many of a hundred good nonces are refused. */
  nonceReject?: number
  /** How many of a hundred earlier proofs are accepted again. */
  authzReuse?: number
  /** The longest wait before a challenge is looked at. */
  sleepSeconds?: number
}

export interface Pebble {
  directoryUrl: string
  /** What anyone who speaks to the authority has to trust: NODE_EXTRA_CA_CERTS for its own process. */
  caFile: string
  /** What signs the certificates of the authority, a new one after each start. */
  rootPem(): Promise<string>
  /** How many certificates were issued since the last start. */
  issuedCount(): number
  /** The name server that the authority asks, with its port. */
  nameServer: string
  /** From now on this name has this address, or that of all others again when it is left out. */
  leadName(hostname: string, address?: string): Promise<void>
  /** From now on every name has this address. */
  leadTo(address: string): Promise<void>
  /** No one answers any more, and everything is forgotten. */
  down(): Promise<void>
  /** At the same address again. */
  up(): Promise<void>
  stop(): Promise<void>
}

const START_MS = 60_000
const PROGRAMS = ['pebble', 'pebble-challtestsrv'].map(name => join('/usr/bin', name))

/** A real ACME server of this test's own, and the DNS server it asks. This process trusts it until `stop`. */
export const startPebble = async (options: PebbleOptions): Promise<Pebble> => {
  if (!PROGRAMS.every(existsSync))
    throw new Error('Pebble is not installed. Run the tests with ./fleetpress test, which installs it.')
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-pebble-'))
  const { listen } = options
  const certificate = newCertificate(listen)
  const distrust = trust(certificate)
  const [port, managementPort, dnsPort, dnsControlPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const caFile = writeFiles(folder, certificate, { port, managementPort, httpPort: options.httpPort }, listen)
  const dns = start('pebble-challtestsrv', dnsWords(dnsPort, dnsControlPort, options.address ?? '127.0.0.1'))
  const nameServer = options.nameServer ?? `127.0.0.1:${dnsPort}`
  const words = ['-config', join(folder, 'config.json'), '-dnsserver', nameServer]
  const up = () => start('pebble', words, environmentOf(options))
  let pebble = up()
  const directoryUrl = `https://${listen ?? 'localhost'}:${port}/dir`
  const control = `http://127.0.0.1:${dnsControlPort}`
  const managed = `https://localhost:${managementPort}`
  const stop = async () => {
    await Promise.all([end(pebble), end(dns)])
    distrust()
    rmSync(folder, { recursive: true, force: true })
  }
  const ready = () => Promise.all([answers(directoryUrl), answers(control)])
  await ready().catch(async error => {
    await stop()
    throw error
  })
  const tell = async (what: string, said: object) => {
    await fetch(`${control}/${what}`, { method: 'POST', body: JSON.stringify(said) })
  }
  return {
    directoryUrl,
    caFile,
    nameServer,
    leadName: async (hostname, address) => {
      const host = `${hostname}.`
      await tell('clear-a', { host })
      if (address !== undefined) await tell('add-a', { host, addresses: [address] })
    },
    rootPem: async () => (await fetch(`${managed}/roots/0`)).text(),
    issuedCount: () => pebble.output.join('').split('Issued certificate serial').length - 1,
    leadTo: ip => tell('set-default-ipv4', { ip }),
    down: () => end(pebble),
    up: async () => {
      pebble = up()
      await ready()
    },
    stop,
  }
}

export interface ChallengeServer {
  port: number
  /** What is answered instead of the files, when set. */
  answer: string | undefined
  stop(): Promise<void>
}

/** Answers the authority's questions from a folder of challenge files, as an edge does. */
export const startChallengeServer = async (folder: string): Promise<ChallengeServer> => {
  const server = createServer((request, response) => {
    const file = join(folder, basename(request.url ?? ''))
    const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined
    response.writeHead(text === undefined ? 404 : 200).end(text === undefined ? '' : (state.answer ?? text))
  })
  const state: ChallengeServer = {
    port: await freePort(),
    answer: undefined,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  await new Promise<void>(resolve => server.listen(state.port, '127.0.0.1', resolve))
  return state
}

interface Program {
  process: ChildProcess
  output: string[]
}

const writeFiles = (
  folder: string,
  { key, cert }: Certificate,
  ports: Record<string, number>,
  listen = '127.0.0.1',
): string => {
  const file = (name: string) => join(folder, name)
  writeFileSync(file('key.pem'), key)
  writeFileSync(file('cert.pem'), cert)
  const pebble = {
    listenAddress: `${listen}:${ports.port}`,
    managementListenAddress: `127.0.0.1:${ports.managementPort}`,
    certificate: file('cert.pem'),
    privateKey: file('key.pem'),
    httpPort: ports.httpPort,
    tlsPort: ports.httpPort,
  }
  writeFileSync(file('config.json'), JSON.stringify({ pebble }))
  return file('cert.pem')
}

const dnsWords = (port: number, controlPort: number, address: string): string[] => {
  const unused = ['-defaultIPv6', '-http01', '-https01', '-tlsalpn01'].flatMap(name => [name, ''])
  return ['-dns01', `127.0.0.1:${port}`, '-management', `127.0.0.1:${controlPort}`, '-defaultIPv4', address, ...unused]
}

const environmentOf = ({ nonceReject = 0, authzReuse = 0, sleepSeconds = 0 }: PebbleOptions) => ({
  PEBBLE_WFE_NONCEREJECT: String(nonceReject),
  PEBBLE_AUTHZREUSE: String(authzReuse),
  ...(sleepSeconds === 0 ? { PEBBLE_VA_NOSLEEP: '1' } : { PEBBLE_VA_SLEEPTIME: String(sleepSeconds) }),
})

const start = (program: string, words: string[], env: Record<string, string> = {}): Program => {
  const started = spawn(program, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (chunk: Buffer) => output.push(String(chunk)))
  // A test that is ended from outside must not leave it behind.
  const kill = () => started.kill('SIGKILL')
  process.once('exit', kill)
  started.once('exit', () => process.off('exit', kill))
  return { process: started, output }
}

const end = async ({ process: started }: Program): Promise<void> => {
  if (started.exitCode !== null || started.signalCode !== null) return
  await new Promise(resolve => {
    started.once('exit', resolve)
    started.kill('SIGKILL')
  })
}

const answers = async (url: string): Promise<void> => {
  const deadline = Date.now() + START_MS
  for (;;) {
    try {
      await fetch(url)
      return
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${url} does not answer`, { cause: error })
      await new Promise(resolve => setTimeout(resolve, 25))
    }
  }
}
