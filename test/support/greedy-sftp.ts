import { once } from 'node:events'
import { Client, type ClientChannel } from 'ssh2'
import type { Login } from './ftp-clients.ts'

const [INIT, OPEN, READ, HANDLE, DATA] = [1, 3, 5, 102, 103]
const READ_FLAG = 1

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const text = (value: Buffer | string): Buffer => Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)])
const packet = (type: number, ...parts: Buffer[]): Buffer => text(Buffer.concat([Buffer.of(type), ...parts]))

/** Whole packets, without their length, until the other side closes. */
async function* answersOf(channel: ClientChannel): AsyncGenerator<Buffer, undefined> {
  let held = Buffer.alloc(0)
  try {
    for await (const chunk of channel as AsyncIterable<Buffer>) {
      held = Buffer.concat([held, chunk])
      while (held.length >= 4 && held.length >= 4 + held.readUInt32BE()) {
        const end = 4 + held.readUInt32BE()
        yield held.subarray(4, end)
        held = held.subarray(end)
      }
    }
  } catch {
    // Cut off is closed, too.
  }
}

/** ssh2 always says 32 KiB; another client may say what it likes. */
const takePackets = (client: Client, largestBytes: number): void => {
  const { _protocol: protocol } = client as unknown as {
    _protocol: { session(channel: number, window: number, largestBytes: number): void }
  }
  const open = protocol.session.bind(protocol)
  protocol.session = (channel, window) => open(channel, window, largestBytes)
}

interface Greed {
  /** How much of the file it asks for in one request. */
  readonly bytes: number
  /** The largest packet it says it takes. */
  readonly packetBytes: number
}

/** Asks for a part of a file as no usual client does. How many bytes came: none when it was refused or cut off. */
export const readAtOnce = async (login: Login, path: string, { bytes, packetBytes }: Greed): Promise<number> => {
  const client = new Client()
  const { address: host, username, password } = login
  client.connect({ host, port: 2222, username, password })
  await once(client, 'ready')
  // It takes no packets of that size itself: what matters is what the server does.
  client.on('error', () => {})
  takePackets(client, packetBytes)
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.subsys('sftp', (error, opened) => (error ? reject(error) : resolve(opened)))
  })
  const answers = answersOf(channel)
  const next = async () => (await answers.next()).value
  channel.write(packet(INIT, number(3)))
  await next()
  channel.write(packet(OPEN, number(1), text(path), number(READ_FLAG), number(0)))
  const handle = await next()
  if (handle?.[0] !== HANDLE) throw new Error(`${path} can't be opened`)
  channel.write(packet(READ, number(2), handle.subarray(5), number(0), number(0), number(bytes)))
  const answer = await next()
  client.end()
  return answer?.[0] === DATA ? answer.readUInt32BE(5) : 0
}
