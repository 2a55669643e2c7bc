import type { Duplex } from 'node:stream'
import type { ServerHostKeyAlgorithm } from 'ssh2'
import { asKnownHost } from './host-key.ts'

const LIMIT_MS = 15_000

/**
 * The key that an SSH server shows to a client with these preferences, as in a file of known hosts. The server has proved
 * that it holds the key; it gets no login.
 */
export const showHostKey = async (stream: Duplex, kinds: readonly ServerHostKeyAlgorithm[]): Promise<string> => {
  const { default: ssh2 } = await import('ssh2')
  const client = new ssh2.Client()
  try {
    return await new Promise<string>((resolve, reject) => {
      client.on('error', reject)
      client.on('close', () => reject(new Error('the connection was closed')))
      client.connect({
        sock: stream,
        username: 'fleetpress',
        readyTimeout: LIMIT_MS,
        algorithms: { serverHostKey: [...kinds] },
        hostVerifier: (key: Buffer) => {
          resolve(asKnownHost(key))
          return false
        },
      })
    })
  } finally {
    client.destroy()
    stream.destroy()
  }
}
