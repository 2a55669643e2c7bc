import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as secure } from 'node:tls'
import { Client } from 'ssh2'
import type { Login } from './ftp-clients.ts'

const LIMIT_MS = 60_000

/** The connection was refused before any password. */
export class TurnedAway extends Error {}

/** Tries a password by SFTP over a connection of its own. Resolves to how long the refusal took, in milliseconds. */
export const guessBySftp = ({ address, username, password }: Login): Promise<number> =>
  new Promise((resolve, reject) => {
    const client = new Client()
    let began = Number.NaN
    client.on('handshake', () => {
      began = performance.now()
    })
    client.on('ready', () => {
      client.end()
      reject(new Error(`${username} was let in`))
    })
    client.on('error', error => {
      client.end()
      if (error.level === 'client-authentication') resolve(performance.now() - began)
      else reject(new TurnedAway(error.message))
    })
    client.on('close', () => reject(new TurnedAway('closed')))
    client.connect({
      host: address,
      port: 2222,
      username,
      password,
      authHandler: ['password'],
      readyTimeout: LIMIT_MS,
    })
  })

const replyFrom = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const take = (chunk: Buffer) => {
      text += chunk.toString()
      if (!/^\d{3} .*\r\n$/m.test(text)) return
      socket.off('data', take)
      resolve(text)
    }
    socket.on('data', take)
    socket.once('error', error => reject(new TurnedAway(error.message)))
    socket.once('close', () => reject(new TurnedAway('closed')))
  })

const say = (socket: Socket, line: string): Promise<string> => {
  const reply = replyFrom(socket)
  socket.write(`${line}\r\n`)
  return reply
}

/** The same by FTP with TLS; both the name and the password are answered in that time. */
export const guessByFtp = async ({ address, username, password }: Login): Promise<number> => {
  const plain = connect({ host: address, port: 21, timeout: LIMIT_MS })
  try {
    await replyFrom(plain)
    await say(plain, 'AUTH TLS')
    const socket = secure({ socket: plain, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const began = performance.now()
    await say(socket, `USER ${username}`)
    const answer = await say(socket, `PASS ${password}`)
    if (!answer.startsWith('5')) throw new Error(`${username} was answered ${answer}`)
    return performance.now() - began
  } finally {
    plain.destroy()
  }
}
