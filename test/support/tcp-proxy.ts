import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Both sides are told at once. */
  reset(): void
  /** No one is told anything: what is sent disappears. */
  freeze(): void
  /** From now on a connection is reset once it has brought so many bytes. */
  cutAfter(bytes: number): void
  /** The next connection that sends these words is reset. */
  cutAt(words: string): void
  thaw(): void
  close(): void
}

interface Ends {
  readonly target?: string
  /** Where others than this machine can reach it, if not on the loopback. */
  readonly listen?: string
}

/** Stands between the panel and a port, of the loopback unless named, to be cut like a network. */
export const startProxy = async (
  targetPort: number,
  { target = '127.0.0.1', listen = '127.0.0.1' }: Ends = {},
): Promise<TcpProxy> => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isFrozen = false
  let limitBytes = Number.POSITIVE_INFINITY
  let cutAt: string | undefined
  const server = createServer(near => {
    const pair = [near, connect(targetPort, target)] as const
    pairs.add(pair)
    for (const [from, to] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      from
        .on('error', () => {})
        .on('data', chunk => {
          if (from === near && cutAt !== undefined && chunk.includes(cutAt)) {
            cutAt = undefined
            near.resetAndDestroy()
          } else if (!isFrozen) to.write(chunk)
          if (from !== near && from.bytesRead > limitBytes) near.resetAndDestroy()
        })
      from.on('close', () => {
        if (!isFrozen) to.destroy()
      })
    }
  })
  server.listen(0, listen)
  await once(server, 'listening')
  const address = server.address()
  const reset = () => {
    for (const socket of [...pairs].flat()) socket.resetAndDestroy()
    pairs.clear()
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    reset,
    freeze: () => {
      isFrozen = true
    },
    cutAfter: bytes => {
      limitBytes = bytes
    },
    cutAt: words => {
      cutAt = words
    },
    thaw: () => {
      isFrozen = false
      limitBytes = Number.POSITIVE_INFINITY
    },
    close: () => {
      reset()
      server.close()
    },
  }
}
