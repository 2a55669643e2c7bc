import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '#test/fleet/until.ts'
import type { Vps } from '#test/fleet/vps.ts'
import { FtpClients } from '#test/support/ftp-clients.ts'
import { type SiteHouse, siteHouse } from '#test/support/site-house.ts'

const SLUG = 'hello'
const OTHER = 'other'
const params = { slug: SLUG }
const HTML = `/srv/fleetpress/sites/${SLUG}/html`
const LIMIT_MS = 10 * 60_000

describe('FTP and SFTP logins, on a real server', { timeout: 20 * 60_000 }, () => {
  let house: SiteHouse
  let server: Vps
  let ada: { id: string; username: string; password: string; address: string }
  const clients = new FtpClients()
  before(async () => {
    house = await siteHouse(1)
    server = house.servers[0] ?? assert.fail()
    await house.create(SLUG)
    await house.create(OTHER)
    await shell(`echo foreign > /srv/fleetpress/sites/${OTHER}/html/foreign.txt`)
  })
  after(async () => {
    clients[Symbol.dispose]()
    await house?.[Symbol.asyncDispose]()
  })

  const api = () => house.panel.as('manage')
  const shown = () => api().siteFtp({ params })
  const shell = async (script: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-c', script])
    assert.equal(exitCode, 0, stderr)
    return stdout
  }
  const container = () => shell('docker ps -a --format "{{.Names}}" | grep -x fleetpress-ftp || true')
  const applied = () => until('Applying the logins', async () => (await shown()).applied, LIMIT_MS)
  const create = async (username: string, more: object = {}) => {
    const { user, password } = await api().ftpUserCreate({ params, body: { username, ...more } })
    await applied()
    return { id: user.id, username, password: password ?? '', address: server.address }
  }
  const sessions = async () => (await shown()).users.find(({ username }) => username === ada.username)?.sessions
  /** One that has signed in and waits for commands. */
  const open = async () => {
    const count = (await sessions()) ?? 0
    const client = clients.openSftp(ada)
    const closed = once(client, 'close')
    await until('Signing in', async () => (await sessions()) === count + 1, LIMIT_MS)
    return { client, closed }
  }
  /** The client itself finds out with its next command. */
  const isEnded = async ({ client, closed }: Awaited<ReturnType<typeof open>>) => {
    await until('Ending the sessions', async () => (await sessions()) === 0, LIMIT_MS)
    client.stdin?.end('ls\n')
    const [exitCode] = await closed
    assert.notEqual(exitCode, 0)
  }

  it('start the service with the first one, and show its keys', async () => {
    assert.deepEqual([await container(), (await shown()).status], ['', 'off'])
    ada = await create('ada')
    const { endpoint, status, enabled, paused } = await shown()
    assert.deepEqual([status, enabled, paused, endpoint?.host], ['running', true, false, server.address])
    const keys = await shell('for key in ed25519 rsa; do ssh-keygen -lf /srv/fleetpress/ftp/keys/$key; done')
    assert.equal(endpoint?.hostKeys.length, 2)
    for (const { fingerprint } of endpoint?.hostKeys ?? []) assert.ok(keys.includes(fingerprint), keys)
    assert.match(endpoint?.certificateFingerprint ?? '', /^[0-9A-F:]{95}$/)
    const state = await shell('stat -c %a /srv/fleetpress/ftp/state/state; cat /srv/fleetpress/ftp/state/state')
    assert.match(state, /^600\n/)
    assert.ok(!state.includes(ada.password))
  })

  it('carry files both ways with the user of the site, and never without encryption', async () => {
    const content = 'x'.repeat(3_000_000)
    writeFileSync(join(clients.folder, 'up.txt'), content)
    const put = await clients.sftp(
      ada,
      'put up.txt by-sftp.txt',
      'mkdir "new folder"',
      'get by-sftp.txt down.txt',
      'ls -la /',
    )
    assert.equal(put.exitCode, 0, put.output)
    assert.match(put.output, /wp-config\.php/)
    assert.equal(readFileSync(join(clients.folder, 'down.txt'), 'utf8'), content)
    const upload = await clients.curl(ada, '/by-ftp.txt', '--ssl-reqd', '--upload-file', 'up.txt')
    assert.equal(upload.exitCode, 0, upload.output)
    const read = await clients.curl(ada, '/by-ftp.txt', '--ssl-reqd')
    assert.deepEqual([read.exitCode, read.output === content], [0, true])
    const owners = await shell(
      `cd ${HTML} && stat -c '%u:%g %s' by-sftp.txt by-ftp.txt && stat -c '%u:%g' "new folder"`,
    )
    assert.equal(owners, '70000:70000 3000000\n70000:70000 3000000\n70000:70000\n')
    assert.notEqual((await clients.curl(ada, '/')).exitCode, 0)
    assert.notEqual((await clients.sftp({ ...ada, password: 'not the password' }, 'ls')).exitCode, 0)
  })

  it('see their own folder only, whatever the site puts in its place', async () => {
    await shell(
      `cd ${HTML} && mkdir -p drop/inner && echo mine > drop/mine.txt && ln -s /sites/${OTHER}/html drop/out && chown -hR 70000:70000 drop`,
    )
    const bea = await create('bea', { folder: 'drop' })
    const look = await clients.sftp(bea, 'ls -a /', 'ls /..', 'ls /out/', 'get /sites/other/html/foreign.txt')
    assert.match(look.output, /mine\.txt/)
    assert.doesNotMatch(look.output, /wp-config|^foreign/m)
    await shell(`cd ${HTML} && mv drop kept && ln -s /sites/${OTHER}/html drop`)
    for (const ended of [await clients.sftp(bea, 'ls'), await clients.curl(bea, '/', '--ssl-reqd')]) {
      assert.notEqual(ended.exitCode, 0, ended.output)
      assert.doesNotMatch(ended.output, /foreign/)
    }
    await assert.rejects(api().ftpUserCreate({ params, body: { username: 'cara', folder: 'missing' } }), {
      code: 'not_found',
    })
    await assert.rejects(api().ftpUserCreate({ params, body: { username: 'cara', folder: 'drop' } }), {
      code: 'forbidden',
    })
    await api().ftpUserDelete({ params: { ...params, id: bea.id } })
    await applied()
  })

  it('lose their sessions with a new password, even those of a client that reads nothing', async () => {
    await shell(`truncate -s 2G ${HTML}/large.bin && chown 70000:70000 ${HTML}/large.bin`)
    const [idle, stalled] = [await open(), await open()]
    stalled.client.stdin?.write('get large.bin\n')
    const isReading = async () => existsSync(join(clients.folder, 'large.bin'))
    await until('Starting the download', isReading, LIMIT_MS)
    stalled.client.kill('SIGSTOP')
    const { password } = await api().ftpUserPassword({ params: { ...params, id: ada.id }, body: {} })
    await applied()
    assert.equal(await sessions(), 0)
    await isEnded(idle)
    stalled.client.kill('SIGKILL')
    await stalled.closed
    assert.notEqual((await clients.sftp(ada, 'ls')).exitCode, 0)
    ada = { ...ada, password: password ?? '' }
    assert.equal((await clients.sftp(ada, 'ls')).exitCode, 0)
  })

  it('are refused while the site is stopped', async () => {
    const session = await open()
    await house.succeeded((await api().siteStop({ params })).job.id)
    await isEnded(session)
    const { paused, applied: isApplied } = await shown()
    assert.deepEqual([paused, isApplied], [true, true])
    assert.notEqual((await clients.sftp(ada, 'ls')).exitCode, 0)
    await house.succeeded((await api().siteStart({ params })).job.id)
    assert.deepEqual([(await shown()).paused, (await shown()).applied], [false, true])
    assert.equal((await clients.sftp(ada, 'ls')).exitCode, 0)
  })

  it('expire on the server itself', async () => {
    const one = { params: { ...params, id: ada.id } }
    await api().ftpUserUpdate({ ...one, body: { expiresAt: Date.now() + 8000 } })
    const client = clients.openSftp(ada)
    const closed = once(client, 'close')
    const isOver = async () => (await shown()).users.some(({ expired, sessions: open }) => expired && open === 0)
    await until('Expiring', isOver, LIMIT_MS)
    client.stdin?.end('ls\n')
    const [exitCode] = await closed
    assert.notEqual(exitCode, 0)
    assert.notEqual((await clients.sftp(ada, 'ls')).exitCode, 0)
    await api().ftpUserUpdate({ ...one, body: { expiresAt: null } })
    await applied()
    assert.equal((await clients.sftp(ada, 'ls')).exitCode, 0)
  })

  it('remove the service with the last one, or with their site', async () => {
    const isGone = async () => (await container()) === ''
    await api().ftpUserDelete({ params: { ...params, id: ada.id } })
    await until('Removing the service', isGone, LIMIT_MS)
    assert.deepEqual([(await shown()).status, (await shown()).applied], ['off', true])
    assert.match(await shell('ls /srv/fleetpress/ftp/keys'), /ed25519/)
    ada = await create('ada')
    assert.equal((await clients.sftp(ada, 'ls')).exitCode, 0)
    const { job } = await house.panel.as('full').siteDelete({ params, query: {} })
    await house.succeeded(job.id)
    assert.equal(await container(), '')
    assert.equal((await api().serverFtp({ params: { id: house.ids[0] ?? 0 } })).logins, 0)
  })
})
