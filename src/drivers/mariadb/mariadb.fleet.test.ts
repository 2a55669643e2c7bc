import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Duplex, duplexPair, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readLogs } from '#drivers/docker/containers.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { HostTimeout, ProgramDown } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { Secret } from '#platform/host/secret.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { startMariadb, type TestMariadb } from '#test/support/mariadb.ts'
import { checksumDatabase } from './checksum.ts'
import { type Mariadb, MariadbError, withMariadb } from './connection.ts'
import { databaseSize, dropDatabase, dropUser, ensureDatabase, ensureUser, listDatabases } from './databases.ts'
import { InvalidDatabaseName } from './names.ts'
import { dump, ensureAdmin, load } from './programs.ts'

const host = new LocalHost()
const docker = dockerOf(host)
const password = new Secret('a good one')
const Row = z.record(z.string(), z.unknown())
let server: TestMariadb

const asAdmin = <T>(work: (db: Mariadb) => Promise<T>): Promise<T> =>
  withMariadb(host, { socketPath: server.socketPath, login: server.admin }, work)

const as = <T>(name: string, work: (db: Mariadb) => Promise<T>, database = name): Promise<T> =>
  withMariadb(host, { socketPath: server.socketPath, login: { name, password }, database }, work)

const makeSite = (name: string) =>
  asAdmin(async db => {
    await ensureDatabase(db, name)
    await ensureUser(db, { name, password, database: name })
  })

const refused = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof MariadbError, String(error))
  assert.equal(error.reason, reason)
  return true
}

void describe('a MariaDB server', { timeout: 15 * 60_000, concurrency: 1 }, () => {
  before(async () => {
    server = await startMariadb()
  })
  after(() => server.stop())

  void it('gives the panel its own account, and a new password when asked again', async () => {
    const other = { ...server.admin, password: new Secret('another') }
    await ensureAdmin(server.beside, other)
    await assert.rejects(
      asAdmin(async () => {}),
      refused('ER_ACCESS_DENIED_ERROR'),
    )
    await withMariadb(host, { socketPath: server.socketPath, login: other }, db => ensureDatabase(db, 'wp_once'))
    await ensureAdmin(server.beside, server.admin)
    await asAdmin(db => dropDatabase(db, 'wp_once'))
  })

  void it('makes and drops databases and accounts, each as often as asked', async () => {
    await makeSite('wp_twice')
    await makeSite('wp_twice')
    await as('wp_twice', db => db.run('CREATE TABLE t (id INT PRIMARY KEY, v LONGTEXT)'))
    await as('wp_twice', db => db.run('INSERT INTO t VALUES (1, REPEAT(?, 1000000))', ['x']))
    await asAdmin(async db => {
      assert.deepEqual(await listDatabases(db, 'wp_tw'), [{ name: 'wp_twice', comment: '' }])
      assert.deepEqual(await listDatabases(db, 'wp%'), [])
      assert.ok((await databaseSize(db, 'wp_twice')) > 1_000_000)
      assert.equal(await databaseSize(db, 'wp_none'), 0)
      for (let turn = 0; turn < 2; turn += 1) {
        await dropUser(db, 'wp_twice')
        await dropDatabase(db, 'wp_twice')
      }
      assert.deepEqual(await listDatabases(db, 'wp_tw'), [])
    })
    await assert.rejects(
      as('wp_twice', async () => {}),
      refused('ER_ACCESS_DENIED_ERROR'),
    )
  })

  void it('lets an account into its own database only, even where names look alike', async () => {
    await makeSite('wp_a_b')
    await makeSite('wp_axb')
    await as('wp_a_b', db => db.run('CREATE TABLE own (id INT)'))
    await assert.rejects(
      as('wp_a_b', async () => {}, 'wp_axb'),
      refused('ER_DBACCESS_DENIED_ERROR'),
    )
    await assert.rejects(
      as('wp_a_b', async () => {}, 'mysql'),
      refused('ER_DBACCESS_DENIED_ERROR'),
    )
    await as('wp_a_b', async db => {
      const names = await db.query(z.object({ Database: z.string() }), 'SHOW DATABASES')
      assert.deepEqual(names.map(({ Database }) => Database).toSorted(), ['information_schema', 'wp_a_b'])
      await assert.rejects(db.query(Row, 'SELECT LOAD_FILE("/etc/passwd") AS x INTO OUTFILE "/tmp/x"'), MariadbError)
      await assert.rejects(db.run('SET GLOBAL max_connections = 1'), refused('ER_SPECIFIC_ACCESS_DENIED_ERROR'))
      await assert.rejects(db.run('GRANT ALL ON wp_a_b.* TO wp_axb@localhost'), MariadbError)
    })
  })

  void it('ends the sessions of an account that is dropped', async () => {
    await makeSite('wp_open')
    await as('wp_open', async db => {
      await asAdmin(other => dropUser(other, 'wp_open'))
      await assert.rejects(db.query(Row, 'SELECT 1'))
    })
  })

  void it('lets one account have no more sessions than it may', async () => {
    await asAdmin(async db => {
      await ensureDatabase(db, 'wp_few')
      await ensureUser(db, { name: 'wp_few', password, database: 'wp_few', maxConnections: 1 })
    })
    const second = as('wp_few', () => as('wp_few', async () => {}))
    await assert.rejects(second, refused('ER_USER_LIMIT_REACHED'))
  })

  void it('takes no hostile name, and says so before anything is sent', async () => {
    const plain = ['constructor', 'localhost', 'null']
    const names = [...PAYLOADS, 'mysql', 'root', 'sys', 'WP_A', 'a`.*', 'x'.repeat(65), '1a'].filter(
      name => !plain.includes(name),
    )
    await asAdmin(async db => {
      for (const name of names) {
        const login = { name, password, database: 'wp_ok' }
        for (const act of [ensureDatabase, dropDatabase, dropUser, databaseSize, checksumDatabase]) {
          await assert.rejects(async () => act(db, name), InvalidDatabaseName, name)
        }
        await assert.rejects(ensureUser(db, login), InvalidDatabaseName, name)
        await assert.rejects(ensureUser(db, { ...login, name: 'wp_ok', database: name }), InvalidDatabaseName, name)
        const what = { login: { name, password }, database: 'wp_ok' }
        await assert.rejects(
          dump(server.beside, what, () => {}),
          InvalidDatabaseName,
          name,
        )
        await assert.rejects(
          load(server.beside, { ...what, login: server.admin, database: name }, Readable.from([])),
          InvalidDatabaseName,
        )
      }
      assert.deepEqual(await listDatabases(db, 'wp_ok'), [])
      for (const prefix of names) await listDatabases(db, prefix)
    })
  })

  void it('keeps any password and any value as it is', async () => {
    await makeSite('wp_values')
    await as('wp_values', db => db.run('CREATE TABLE v (id INT AUTO_INCREMENT PRIMARY KEY, v TEXT)'))
    for (const payload of PAYLOADS.filter(text => text !== '')) {
      const secret = new Secret(payload)
      await asAdmin(db => ensureUser(db, { name: 'wp_values', password: secret, database: 'wp_values' }))
      const login = { name: 'wp_values', password: secret }
      await withMariadb(host, { socketPath: server.socketPath, login, database: 'wp_values' }, async db => {
        await db.run('DELETE FROM v')
        await db.run('INSERT INTO v (v) VALUES (?)', [payload])
        assert.deepEqual(await db.query(z.object({ v: z.string() }), 'SELECT v FROM v'), [{ v: payload }])
      })
    }
    const none = { name: 'wp_values', password: new Secret(''), database: 'wp_values' }
    await assert.rejects(
      asAdmin(db => ensureUser(db, none)),
      refused('invalid_password'),
    )
  })

  void it('is reached through a stream that is not a socket', async () => {
    const sockets: Duplex[] = []
    const forwarded: Host = Object.assign(Object.create(host) as Host, {
      dial: async (...words: Parameters<Host['dial']>) => {
        const socket = await host.dial(...words)
        const [near, far] = duplexPair()
        pipeline(socket, far, socket).catch(() => {})
        sockets.push(socket)
        return near
      },
    })
    const rows = await withMariadb(forwarded, { socketPath: server.socketPath, login: server.admin }, db =>
      db.query(Row, 'SELECT 1 AS one'),
    )
    assert.deepEqual(rows, [{ one: 1 }])
    for (const socket of sockets) socket.destroy()
  })

  void it('has nothing to complain about in its log after sessions that ended well', async () => {
    const complaints = async () => (await readLogs(docker, server.container)).split('Aborted connection').length
    await makeSite('wp_polite')
    const before = await complaints()
    await as('wp_polite', db => db.query(Row, 'SELECT 1'))
    await assert.rejects(
      as('wp_polite', db => db.run('NONSENSE')),
      MariadbError,
    )
    await sleep(300)
    assert.equal(await complaints(), before)
  })

  void it('stops waiting: for a slow statement, when told to, and for a server that says nothing', async () => {
    const slow = withMariadb(host, { socketPath: server.socketPath, login: server.admin, timeoutMs: 500 }, db =>
      db.run('DO SLEEP(20)'),
    )
    await assert.rejects(slow, HostTimeout)
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 300)
    const stopped = withMariadb(
      host,
      { socketPath: server.socketPath, login: server.admin, signal: controller.signal },
      db => db.run('DO SLEEP(20)'),
    )
    await assert.rejects(stopped, error => error === reason)
    await assert.rejects(
      withMariadb(host, { socketPath: `${server.folder}/none.sock`, login: server.admin }, async () => {}),
      ProgramDown,
    )
    const silent = `${server.folder}/silent.sock`
    const mute = createServer(socket => void setTimeout(() => socket.destroy(), 2_000)).listen(silent)
    await once(mute, 'listening')
    const unanswered = { socketPath: silent, login: server.admin }
    await assert.rejects(
      withMariadb(host, { ...unanswered, timeoutMs: 300 }, async () => {}),
      HostTimeout,
    )
    await assert.rejects(
      withMariadb(host, unanswered, async () => {}),
      ProgramDown,
    )
    mute.close()
  })
})
