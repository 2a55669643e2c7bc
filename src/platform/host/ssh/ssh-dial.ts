import type { Duplex } from 'node:stream'
import type { Client, ClientCallback } from 'ssh2'
import { DialFailed, HostTimeout } from '../errors.ts'
import type { DialAddress } from '../host.ts'
import { channelDuplex } from './channel-duplex.ts'
import type { Connection } from './connect.ts'
import type { Slots } from './slots.ts'

export interface Dialled {
  readonly host: string
  readonly address: DialAddress
  readonly signal: AbortSignal
}

/** Held until the stream is closed, so that no one can use up what sshd has to give. */
export const dialThrough = async (
  connection: Connection,
  slots: Slots,
  { host, address, signal }: Dialled,
): Promise<Duplex> => {
  const release = await slots.take(signal)
  const opening = connection.open((client, done) => forward(client, address, done))
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return channelDuplex(await Promise.race([opening, aborted.promise]), connection.lost, release)
  } catch (error) {
    // It may still be answered after no one waits for it any more.
    void opening.then(
      channel => channel.destroy(),
      () => {},
    )
    release()
    if (signal.aborted || connection.lost.aborted) throw error
    throw new DialFailed(host, nameOf(address), error)
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** What ends the wait for an answer: anyone who asked, or the time. */
export const dialLimit = (host: string, timeoutMs: number, signal: AbortSignal | undefined) => {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new HostTimeout(host, timeoutMs)), timeoutMs)
  const onAbort = () => limit.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const cancel = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  return { signal: limit.signal, cancel }
}

export const nameOf = (address: DialAddress): string =>
  'socketPath' in address ? address.socketPath : `${address.host ?? '127.0.0.1'}:${address.port}`

const forward = (client: Client, address: DialAddress, done: ClientCallback): void => {
  if ('socketPath' in address) client.openssh_forwardOutStreamLocal(address.socketPath, done)
  else client.forwardOut('127.0.0.1', 0, address.host ?? '127.0.0.1', address.port, done)
}
