import type { CipherAlgorithm, Client, ClientCallback, ClientChannel } from 'ssh2'
import { HostRefusedLogin, HostUnreachable } from '../errors.ts'
import type { Secret } from '../secret.ts'
import { HostKeyCheck, hostKeyAlgorithms, type KnownHost } from './host-key.ts'

export interface SshTarget extends KnownHost {
  /** What people call it. */
  readonly name?: string
  readonly address: string
  readonly port: number
  readonly user: string
  readonly privateKey: Secret
}

/** One login, until it is lost. */
export interface Connection {
  readonly user: string
  /** Aborts once, with the `HostUnreachable` that says why. */
  readonly lost: AbortSignal
  /** Asks for a channel; rejects when it is refused, or with the loss of the connection. */
  open(ask: (client: Client, done: ClientCallback) => void): Promise<ClientChannel>
  end(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const END_TIMEOUT_MS = 1_000
/** ssh2 gives up when one more interval passes after so many unanswered questions: three intervals in all. */
const UNANSWERED_MAX = 2

/** The fastest first: where the processor helps with AES, chacha20 takes twice as long. */
const CIPHERS: CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
  'aes128-ctr',
  'aes256-ctr',
]

export const connect = async (host: string, target: SshTarget, keepaliveMs: number): Promise<Connection> => {
  const { default: ssh2 } = await import('ssh2')
  const client = new ssh2.Client()
  const lost = new AbortController()
  let cause: Error | undefined
  client.on('error', error => {
    cause ??= error
  })
  client.on('close', () => lost.abort(new HostUnreachable(host, cause ?? 'the connection was closed')))
  try {
    await logIn(client, host, target, keepaliveMs)
  } catch (error) {
    client.destroy()
    throw error
  }
  return {
    user: target.user,
    lost: lost.signal,
    open: ask => openChannel(client, host, lost.signal, ask),
    end: () => endOf(client, lost.signal),
  }
}

const logIn = async (client: Client, host: string, target: SshTarget, keepaliveMs: number): Promise<void> => {
  const { address, port, user, privateKey } = target
  const check = new HostKeyCheck(host, target)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  client.once('ready', resolve).once('error', reject)
  client.once('close', () => reject(new Error('the connection was closed')))
  // Small packets would otherwise wait for the answer to the one before.
  client.once('connect', () => client.setNoDelay(true))
  client.connect({
    host: address,
    port,
    username: user,
    privateKey: privateKey.reveal(),
    authHandler: ['publickey'],
    algorithms: { cipher: CIPHERS, serverHostKey: hostKeyAlgorithms(target.hostKey) },
    hostVerifier: (key: Buffer, verify: (isAccepted: boolean) => void) => {
      void check.accepts(key).then(verify)
    },
    readyTimeout: CONNECT_TIMEOUT_MS,
    keepaliveInterval: keepaliveMs,
    keepaliveCountMax: UNANSWERED_MAX,
  })
  await promise.catch(async error => {
    throw check.failureFor(error) ?? (await loginFailure(error, host, target))
  })
}

const loginFailure = async (error: Error, host: string, target: SshTarget): Promise<Error> => {
  if (!('level' in error && error.level === 'client-authentication')) return new HostUnreachable(host, error)
  const { default: ssh2 } = await import('ssh2')
  const { user, address, privateKey } = target
  const key = ssh2.utils.parseKey(privateKey.reveal())
  const publicKey = key instanceof Error ? '' : `: ${key.type} ${key.getPublicSSH().toString('base64')}`
  return new HostRefusedLogin(host, user, `add the panel's public key to its authorized_keys on ${address}${publicKey}`)
}

const openChannel = (
  client: Client,
  host: string,
  lost: AbortSignal,
  ask: (client: Client, done: ClientCallback) => void,
): Promise<ClientChannel> =>
  new Promise((resolve, reject) => {
    const onLost = () => reject(lost.reason)
    if (lost.aborted) return onLost()
    lost.addEventListener('abort', onLost, { once: true })
    const done: ClientCallback = (error, channel) => {
      lost.removeEventListener('abort', onLost)
      if (error) return reject(error)
      // What goes wrong with it is told by its end; without a listener it would end the panel.
      resolve(channel.on('error', () => {}))
    }
    try {
      ask(client, done)
    } catch (error) {
      done(new HostUnreachable(host, error), undefined as never)
    }
  })

const endOf = (client: Client, lost: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (lost.aborted) return resolve()
    const timer = setTimeout(() => client.destroy(), END_TIMEOUT_MS)
    client.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    client.end()
  })
