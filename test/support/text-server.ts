import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const TXT = 16

/** The name that is asked for, and where the question ends. */
const nameIn = (message: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

const recordOf = (text: string): Buffer => {
  const parts = (text.match(/.{1,255}/gs) ?? []).map(part =>
    Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
  )
  const data = Buffer.concat(parts)
  const head = Buffer.from([0xc0, 12, 0, TXT, 0, 1, 0, 0, 0, 1, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** A name server that knows texts only; every other question has no answer. */
export const textServer = async (texts: ReadonlyMap<string, readonly string[]>): Promise<Socket> => {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const { name, end } = nameIn(question)
    const found = question.readUInt16BE(end - 4) === TXT ? (texts.get(name) ?? []) : []
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(0x85_80, 2)
    head.fill(0, 6)
    head.writeUInt16BE(found.length, 6)
    socket.send(Buffer.concat([head, question.subarray(12, end), ...found.map(recordOf)]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}
