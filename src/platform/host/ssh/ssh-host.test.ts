import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { hostConformance } from '#test/support/conformance/host-conformance.ts'
import type { HostSubject } from '#test/support/conformance/subject.ts'
import { startSshd } from '#test/support/sshd.ts'
import { SshHost } from './ssh-host.ts'

const listening = async (at: string | number): Promise<Server> => {
  const server = createServer(socket => socket.on('error', () => {}).pipe(socket))
  server.listen(typeof at === 'string' ? { path: at } : { port: at, host: '127.0.0.1' })
  await once(server, 'listening')
  return server
}

const makeSshSubject = async (): Promise<HostSubject> => {
  const sshd = await startSshd()
  const folder = join(sshd.folder, 'work')
  await mkdir(folder, { mode: 0o755 })
  const echoSocket = join(sshd.folder, 'echo.sock')
  const servers = [await listening(echoSocket), await listening(0)]
  const address = servers[1]?.address()
  const echoPort = typeof address === 'object' && address !== null ? address.port : 0
  const host = new SshHost({ name: 'server 2', target: async () => sshd.target() })
  const close = async () => {
    await host.close()
    for (const server of servers) server.close()
    await sshd.stop()
  }
  return { host, folder, otherUser: 'nobody', echoSocket, echoPort, close }
}

hostConformance('SshHost', makeSshSubject)
