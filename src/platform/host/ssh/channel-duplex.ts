import { Duplex } from 'node:stream'
import type { ClientChannel } from 'ssh2'

/** A channel of ssh2 as an ordinary stream: destroyed when told to, and with an error when the connection is lost. */
export const channelDuplex = (channel: ClientChannel, lost: AbortSignal, onClosed: () => void): Duplex => {
  const duplex = new Duplex({
    // Like a socket: when the other side has said everything, so have we.
    allowHalfOpen: false,
    read: () => {
      channel.resume()
    },
    write: (chunk: Buffer, _, done) => {
      channel.write(chunk, error => done(error))
    },
    final: done => {
      channel.end()
      done()
    },
    destroy: (error, done) => {
      lost.removeEventListener('abort', onLost)
      channel.removeAllListeners('data').resume()
      channel.destroy()
      onClosed()
      done(error)
    },
  })
  const onLost = () => duplex.destroy(lost.reason)
  lost.addEventListener('abort', onLost, { once: true })
  channel.on('data', (chunk: Buffer) => {
    if (!duplex.push(chunk)) channel.pause()
  })
  channel.once('end', () => duplex.push(null))
  return duplex
}
