import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const SERVER_FAILED = 2
const UPDATE = 5

/** A name server on TCP as it is on a bad day. */
export interface FaultyNameServer {
  readonly port: number
  /** How the next questions, or updates, end: failed, done without anyone hearing of it, or answered late. */
  readonly faults: { of: 'query' | 'update'; kind: 'failed' | 'silence' | 'late' }[]
  stop(): Promise<void>
}

/** Stands between the panel and a real name server; every message is passed on as it is. */
export const startFaultyNameServer = async (targetPort: number, lateMs: number): Promise<FaultyNameServer> => {
  const faults: FaultyNameServer['faults'] = []
  const sockets = new Set<Socket>()
  const serve = async (near: Socket): Promise<void> => {
    const question = await readFrame(near)
    const of = ((question.readUInt8(4) >> 3) & 15) === UPDATE ? 'update' : 'query'
    const fault = faults[0]?.of === of ? faults.shift() : undefined
    if (fault?.kind === 'failed') return void near.end(failureOf(question))
    const far = connect(targetPort, '127.0.0.1')
    far.on('error', () => {}).write(question)
    const answer = await readFrame(far)
    far.destroy()
    if (fault?.kind === 'late') await sleep(lateMs)
    if (fault?.kind !== 'silence') near.end(answer)
  }
  const server = createServer(near => {
    sockets.add(near)
    near.on('error', () => {}).on('close', () => sockets.delete(near))
    serve(near).catch(() => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    faults,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A message on TCP with its length in front. */
const readFrame = async (socket: Socket): Promise<Buffer> => {
  let received = Buffer.alloc(0)
  while (received.length < 2 || received.length < received.readUInt16BE(0) + 2) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    received = Buffer.concat([received, chunk])
  }
  return received
}

/** The head of the question and nothing else. */
const failureOf = (question: Buffer): Buffer => {
  const head = Buffer.alloc(14)
  head.writeUInt16BE(12)
  question.copy(head, 2, 2, 6)
  head.writeUInt8(head.readUInt8(4) | 0x80, 4)
  head.writeUInt8(SERVER_FAILED, 5)
  return head
}
