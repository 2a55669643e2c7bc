import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { hostConformance } from '#test/support/conformance/host-conformance.ts'
import type { HostSubject } from '#test/support/conformance/subject.ts'
import { useEmptyHome } from '#test/support/empty-home.ts'
import { exec } from './command.ts'
import { LocalHost } from './local-host.ts'
import { startProcessGroup } from './process-group.ts'

useEmptyHome()

const listening = async (at: string | number): Promise<Server> => {
  const server = createServer(socket => socket.on('error', () => {}).pipe(socket))
  server.listen(typeof at === 'string' ? { path: at } : { port: at, host: '127.0.0.1' })
  await once(server, 'listening')
  return server
}

const makeLocalSubject = async (): Promise<HostSubject> => {
  const folder = await mkdtemp(join(tmpdir(), 'local-host-'))
  await chmod(folder, 0o755)
  const echoSocket = join(folder, 'echo.sock')
  const servers = [await listening(echoSocket), await listening(0)]
  const address = servers[1]?.address()
  const echoPort = typeof address === 'object' && address !== null ? address.port : 0
  const close = async () => {
    for (const server of servers) server.close()
    await rm(folder, { recursive: true })
  }
  return { host: new LocalHost(), folder, otherUser: 'nobody', echoSocket, echoPort, close }
}

hostConformance('LocalHost', makeLocalSubject)

void describe('LocalHost', () => {
  void it('hands on nothing of the panel’s environment', async () => {
    process.env['PANEL_ONLY'] = 'hidden'
    const { stdout } = await new LocalHost().run(exec('env'))
    delete process.env['PANEL_ONLY']
    const names = stdout
      .trimEnd()
      .split('\n')
      .map(line => line.split('=')[0] ?? '')
    assert.deepEqual(names.toSorted(), ['HOME', 'LANG', 'PATH', 'PWD', 'SHLVL', '_'])
  })

  void it('runs no one’s .bashrc, not even in a bash inside the command', async () => {
    const home = process.env['HOME']
    const folder = await mkdtemp(join(tmpdir(), 'home-'))
    await writeFile(join(folder, '.bashrc'), 'echo bashrc ran\n')
    process.env['HOME'] = folder
    const results = await Promise.all(
      [exec('env', 'true'), exec('bash', '-c', ':')].map(command => new LocalHost().run(command)),
    )
    process.env['HOME'] = home
    await rm(folder, { recursive: true })
    assert.deepEqual(
      results.map(({ stdout }) => stdout),
      ['', ''],
    )
  })

  void it('runs in the root folder unless told otherwise', async () => {
    assert.equal((await new LocalHost().run(exec('pwd'))).stdout, '/\n')
  })
})

void describe('startProcessGroup', () => {
  void it('rejects when the program cannot be started', async () => {
    await assert.rejects(startProcessGroup(['/no/such/shell'], {}), { code: 'ENOENT' })
  })

  void it('is the only place that starts processes', async () => {
    const importers: string[] = []
    for await (const file of glob('**/*.ts', { cwd: import.meta.dirname })) {
      if (/from '(node:)?child_process'/.test(await readFile(join(import.meta.dirname, file), 'utf8')))
        importers.push(file)
    }
    assert.deepEqual(importers, ['process-group.ts'])
  })
})
