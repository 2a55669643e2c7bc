import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '#test/fleet/until.ts'
import { type Ended, endOf, FtpClients, type Login } from '#test/support/ftp-clients.ts'
import { warmServer } from '#test/support/warm-server.ts'
import { median, report } from './report.ts'

const ROUNDS = 3
const FILE_MIB = 1_024
const FILES = 10_000
const LIMIT_MS = 10 * 60_000
const HTML = '/srv/fleetpress/sites/first/html'
const params = { slug: 'first' }

// In memory, so that no disk of this machine decides.
process.env.TMPDIR = '/dev/shm'
await using house = await warmServer()
using clients = new FtpClients()
const { panel, shell } = house
const server = house.servers[0] ?? assert.fail()
const api = panel.as('manage')

const shown = async () => (await api.siteFtp({ params })).users[0] ?? assert.fail()
const applied = () => until('Applying', async () => (await api.siteFtp({ params })).applied, LIMIT_MS)
const created = await api.ftpUserCreate({ params, body: { username: 'ada' } })
await applied()
let login: Login = { address: server.address, username: 'ada', password: created.password ?? '' }

const key = join(clients.folder, 'key')
execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
await server.authorize(readFileSync(`${key}.pub`, 'utf8'))
const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', `IdentityFile=${key}`]
/** The server's own, in a folder of the same disk. */
const byOpenSsh = (...commands: string[]): Promise<Ended> => {
  const words = options.flatMap(option => ['-o', option])
  const client = spawn('sftp', ['-q', ...words, `root@${server.address}:${HTML}`], { cwd: clients.folder })
  client.stdin.end(`${commands.join('\n')}\n`)
  return endOf(client)
}
const byOurs = (...commands: string[]): Promise<Ended> => clients.sftp(login, ...commands)

const takenMs = async (by: typeof byOurs, ...commands: string[]): Promise<number> => {
  const began = performance.now()
  const { exitCode, output } = await by(...commands)
  assert.equal(exitCode, 0, output)
  return performance.now() - began
}

const source = join(clients.folder, 'source')
execFileSync('dd', ['if=/dev/urandom', `of=${source}`, 'bs=1M', `count=${FILE_MIB}`, 'status=none'])
mkdirSync(join(clients.folder, 'many'))
for (let at = 0; at < FILES; at += 1) writeFileSync(join(clients.folder, 'many', `file-${at}`), `content ${at}`)

const ways = { ours: byOurs, openSsh: byOpenSsh }
const taken = { put: { ours: [], openSsh: [] }, get: { ours: [], openSsh: [] } } as Record<
  'put' | 'get',
  Record<keyof typeof ways, number[]>
>
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, by] of Object.entries(ways) as [keyof typeof ways, typeof byOurs][]) {
    taken.put[name].push(await takenMs(by, `put source ${name}.bin`))
    taken.get[name].push(await takenMs(by, `get ${name}.bin back`))
    assert.equal(statSync(join(clients.folder, 'back')).size, FILE_MIB * 1024 ** 2)
    rmSync(join(clients.folder, 'back'))
    await shell(`rm ${HTML}/${name}.bin`)
  }
const many = { ours: 0, openSsh: 0 }
for (const [name, by] of Object.entries(ways) as [keyof typeof ways, typeof byOurs][]) {
  many[name] = await takenMs(by, `mkdir many-${name}`, `put many/* many-${name}/`)
  assert.equal(Number(await shell(`ls ${HTML}/many-${name} | wc -l`)), FILES)
}

/** From the request to the end of the session of a client that reads nothing any more. */
const endingMs = async (): Promise<number> => {
  await shell(`truncate -s 2G ${HTML}/large.bin && chown 70000:70000 ${HTML}/large.bin`)
  const client = clients.openSftp(login)
  const closed = once(client, 'close')
  client.stdin?.write('get large.bin\n')
  await until('Reading', async () => existsSync(join(clients.folder, 'large.bin')), LIMIT_MS)
  await until('Signing in', async () => (await shown()).sessions === 1, LIMIT_MS)
  client.kill('SIGSTOP')
  const began = performance.now()
  const { password } = await api.ftpUserPassword({ params: { ...params, id: created.user.id }, body: {} })
  await applied()
  const ended = performance.now() - began
  assert.equal((await shown()).sessions, 0)
  client.kill('SIGKILL')
  await closed
  rmSync(join(clients.folder, 'large.bin'))
  login = { ...login, password: password ?? '' }
  return ended
}
const endings = [await endingMs(), await endingMs(), await endingMs()]

const speed = (values: readonly number[]) => (FILE_MIB * 1000) / median(values)
const figureOf = (way: 'put' | 'get') => ({
  name: `sftp ${way} of ${FILE_MIB} MiB`,
  unit: 'MiB/s',
  ours: speed(taken[way].ours),
  peer: { name: 'the OpenSSH of the server', value: speed(taken[way].openSsh) },
  limit: { atLeast: 0.6 },
})
report('ftp', [
  figureOf('put'),
  figureOf('get'),
  {
    name: `sftp put of ${FILES} small files`,
    unit: 'ms',
    ours: many.ours,
    peer: { name: 'the OpenSSH of the server', value: many.openSsh },
    limit: { atMost: 3 },
  },
  {
    name: 'a new password ends the session of a stalled client, at worst',
    unit: 'ms',
    ours: Math.max(...endings),
    limit: { atMost: 2_000 },
  },
])
