import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Both sides are told at once. */
  reset(): void
  /** No one is told anything: what is sent disappears. */
  freeze(): void
  thaw(): void
  close(): void
}

/** Stands between the panel and a port of the loopback, to be cut like a network. */
export const startProxy = async (targetPort: number): Promise<TcpProxy> => {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isFrozen = false
  const server = createServer(near => {
    const pair = [near, connect(targetPort, '127.0.0.1')] as const
    pairs.add(pair)
    for (const [from, to] of [pair, pair.toReversed()] as [Socket, Socket][]) {
      from
        .on('error', () => {})
        .on('data', chunk => {
          if (!isFrozen) to.write(chunk)
        })
      from.on('close', () => {
        if (!isFrozen) to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
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
    thaw: () => {
      isFrozen = false
    },
    close: () => {
      reset()
      server.close()
    },
  }
}
