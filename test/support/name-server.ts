import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** A name server that gives every name the same address. */
export const nameServer = async (answer: () => readonly number[]): Promise<Socket> => {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const isAddress = question.readUInt16BE(question.length - 4) === 1
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(0x81_80, 2)
    head.writeUInt16BE(isAddress ? 1 : 0, 6)
    head.fill(0, 8)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...answer()])
    socket.send(Buffer.concat([head, question.subarray(12), ...(isAddress ? [record] : [])]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}
