import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Duplex, duplexPair, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { z } from 'zod'
import { listContainers, removeContainer } from '#drivers/docker/containers.ts'
import { ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { ensureImage } from '#features/servers/images/ensure-image.ts'
import { DATABASE_OWNER, STACK_IMAGES } from '#features/servers/images/recipes.ts'
import { dockerOf } from '#features/servers/stack/docker-of.ts'
import { exec } from '#platform/host/command.ts'
import { DialFailed, HostTimeout, HostUnreachable } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { Secret } from '#platform/host/secret.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { checksumDatabase } from './checksum.ts'
import { type Login, type Mariadb, MariadbError, withMariadb } from './connection.ts'
import { databaseSize, dropDatabase, dropUser, ensureDatabase, ensureUser, listDatabases } from './databases.ts'
import { InvalidDatabaseName } from './names.ts'
import { type Beside, dump, ensureAdmin, load } from './programs.ts'

const MIB = 1024 ** 2
const host = new LocalHost()
const docker = dockerOf(host)
const unique = `fptest${randomBytes(4).toString('hex')}`
const labels = { 'fleetpress.test': unique }
const container = `${unique}-database`
const admin: Login = { name: 'fleetpress', password: new Secret(randomBytes(24).toString('base64url')) }
const password = new Secret('a good one')
const Row = z.record(z.string(), z.unknown())
const ANY_EXIT = Array.from({ length: 255 }, (_, index) => index + 1)
let folder = ''
let socketPath = ''

const beside: Beside = async (argv, { user, ...options }) => {
  let stderr = ''
  const command = exec('docker', 'exec', '--interactive', '--user', user, container, ...argv)
  const { exitCode } = await host.stream(command, {
    ...options,
    allowExitCodes: ANY_EXIT,
    onStderr: chunk => void (stderr += chunk.toString()),
  })
  return { exitCode, stderr }
}

const asAdmin = <T>(work: (db: Mariadb) => Promise<T>): Promise<T> =>
  withMariadb(host, { socketPath, login: admin }, work)

const as = <T>(name: string, work: (db: Mariadb) => Promise<T>, database = name): Promise<T> =>
  withMariadb(host, { socketPath, login: { name, password }, database }, work)

const makeSite = (name: string) =>
  asAdmin(async db => {
    await ensureDatabase(db, name)
    await ensureUser(db, { name, password, database: name })
  })

const dumpText = async (name: string): Promise<string> => {
  const chunks: Buffer[] = []
  await dump(beside, { login: { name, password }, database: name }, chunk => void chunks.push(chunk))
  return Buffer.concat(chunks).toString()
}

const refused = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof MariadbError, String(error))
  assert.equal(error.reason, reason)
  return true
}

void describe('a MariaDB server', { timeout: 15 * 60_000, concurrency: 1 }, () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetpress-mariadb-'))
    socketPath = `${folder}/run/mysqld.sock`
    for (const part of ['data', 'run']) {
      await mkdir(`${folder}/${part}`)
      await chown(`${folder}/${part}`, DATABASE_OWNER.uid, DATABASE_OWNER.gid)
    }
    await ensureContainer(docker, {
      name: container,
      image: await ensureImage(STACK_IMAGES.database, { host, dataDir: folder }),
      readOnly: true,
      mounts: [
        { source: `${folder}/data`, target: '/var/lib/mysql' },
        { source: `${folder}/run`, target: '/run/mysqld' },
      ],
      tmpfs: [{ target: '/tmp', sizeBytes: 64 * MIB }],
      network: 'none',
      limits: { memoryBytes: 512 * MIB, cpus: 2, pids: 200 },
      labels,
      restart: 'no',
    })
    await waitHealthy(docker, container, { timeoutMs: 60_000 })
    await ensureAdmin(beside, admin)
  })
  after(async () => {
    for (const { id } of await listContainers(docker, labels)) await removeContainer(docker, id)
    await rm(folder, { recursive: true, force: true })
  })

  void it('gives the panel an account of its own, and a new password when asked again', async () => {
    const other = { ...admin, password: new Secret('another') }
    await ensureAdmin(beside, other)
    await assert.rejects(
      asAdmin(async () => {}),
      refused('ER_ACCESS_DENIED_ERROR'),
    )
    await withMariadb(host, { socketPath, login: other }, db => ensureDatabase(db, 'wp_once'))
    await ensureAdmin(beside, admin)
    await asAdmin(db => dropDatabase(db, 'wp_once'))
  })

  void it('makes and drops databases and accounts, each as often as asked', async () => {
    await makeSite('wp_twice')
    await makeSite('wp_twice')
    await as('wp_twice', db => db.run('CREATE TABLE t (id INT PRIMARY KEY, v LONGTEXT)'))
    await as('wp_twice', db => db.run('INSERT INTO t VALUES (1, REPEAT(?, 1000000))', ['x']))
    await asAdmin(async db => {
      assert.deepEqual(await listDatabases(db, 'wp_tw'), ['wp_twice'])
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
          dump(beside, what, () => {}),
          InvalidDatabaseName,
          name,
        )
        await assert.rejects(
          load(beside, { ...what, login: admin, database: name }, Readable.from([])),
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
      await withMariadb(host, { socketPath, login, database: 'wp_values' }, async db => {
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

  void it('comes out of a dump as it went in, and so do odd tables, binary rows and views', async () => {
    await makeSite('wp_move')
    await as('wp_move', async db => {
      await db.run('CREATE TABLE `a``b $(id)` (id INT AUTO_INCREMENT PRIMARY KEY, b LONGBLOB, t TEXT)')
      await db.run('INSERT INTO `a``b $(id)` (b, t) VALUES (UNHEX(?), ?), (NULL, NULL)', ['00ff0a275c', "😀'\\"])
      await db.run('CREATE TABLE big (id INT PRIMARY KEY, v VARCHAR(200))')
      await db.run('INSERT INTO big SELECT seq, SHA2(seq, 512) FROM seq_1_to_20000')
      await db.run('CREATE VIEW seen AS SELECT id FROM big WHERE id < 10')
      await db.run('CREATE TRIGGER tr BEFORE INSERT ON big FOR EACH ROW SET NEW.v = UPPER(NEW.v)')
    })
    const checksum = () => asAdmin(db => checksumDatabase(db, 'wp_move'))
    const original = await checksum()
    assert.deepEqual([...original.parts.keys()], ['a`b $(id)', 'big', 'seen'])
    const text = await dumpText('wp_move')
    assert.ok(text.length > 2_000_000)
    await asAdmin(async db => {
      await dropDatabase(db, 'wp_move')
      await ensureDatabase(db, 'wp_move')
    })
    assert.notEqual((await checksum()).sha256, original.sha256)
    const what = { login: { name: 'wp_move', password }, database: 'wp_move' }
    await load(beside, what, Readable.from([text.slice(0, 1000), text.slice(1000)]))
    assert.deepEqual(await checksum(), original)
    await as('wp_move', db => db.run('UPDATE big SET v = ? WHERE id = 20000', ['other']))
    const changed = await checksum()
    assert.notEqual(changed.parts.get('big'), original.parts.get('big'))
    await load(beside, what, Readable.from([text]))
    assert.deepEqual(await checksum(), original)
  })

  void it('loads nothing beyond the database, whatever a dump holds', async () => {
    await makeSite('wp_evil')
    await makeSite('wp_good')
    const what = { login: { name: 'wp_evil', password }, database: 'wp_evil' }
    const dumps = [
      '\\! touch /tmp/CANARY\n',
      'system touch /tmp/CANARY\n',
      'source /etc/passwd\n',
      'tee /tmp/CANARY\n',
      'CREATE TABLE wp_good.x (id INT);\n',
      'GRANT ALL ON *.* TO wp_evil@localhost;\n',
      'CREATE DEFINER=root@localhost PROCEDURE p() SQL SECURITY DEFINER SELECT 1;\n',
      'SELECT 1 INTO OUTFILE "/tmp/CANARY";\n',
    ]
    for (const text of dumps) {
      await assert.rejects(load(beside, what, Readable.from([text])), refused('program_failed'), text)
    }
    const found = await execIn(docker, container, ['find', '/tmp', '/mnt', '-name', 'CANARY*'])
    assert.equal(found.stdout, '')
  })

  void it('fails when the source of a load fails, and never runs half of a statement', async () => {
    await makeSite('wp_cut')
    const source = Readable.from(
      (function* () {
        yield 'CREATE TABLE whole (id INT);\nCREATE TABLE ha'
        throw new Error('the source broke')
      })(),
    )
    const what = { login: { name: 'wp_cut', password }, database: 'wp_cut' }
    await assert.rejects(load(beside, what, source), /the source broke/)
    const names = await as('wp_cut', db => db.query(z.object({ Tables_in_wp_cut: z.string() }), 'SHOW TABLES'))
    assert.ok(names.every(({ Tables_in_wp_cut: name }) => name === 'whole'))
  })

  void it('never shows a password: not in a command, not in an error, not to who lists sessions', async () => {
    await makeSite('wp_quiet')
    const login = { name: 'wp_quiet', password: new Secret('s3cr3t-canary') }
    const seen: unknown[] = []
    const spy: Beside = (argv, options) => {
      seen.push(argv)
      return beside(argv, options)
    }
    await assert.rejects(
      dump(spy, { login, database: 'wp_quiet' }, () => {}),
      error => seen.push(error) > 0,
    )
    await assert.rejects(
      withMariadb(host, { socketPath, login }, async () => {}),
      error => seen.push(error) > 0,
    )
    assert.equal(seen.length, 3)
    assert.doesNotMatch(inspect(seen, { depth: 9 }), /s3cr3t/)
  })

  void it('is reached through a stream that is no socket', async () => {
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
    const rows = await withMariadb(forwarded, { socketPath, login: admin }, db => db.query(Row, 'SELECT 1 AS one'))
    assert.deepEqual(rows, [{ one: 1 }])
    for (const socket of sockets) socket.destroy()
  })

  void it('stops waiting: for a slow statement, when told to, and for a server that says nothing', async () => {
    const slow = withMariadb(host, { socketPath, login: admin, timeoutMs: 500 }, db => db.run('DO SLEEP(20)'))
    await assert.rejects(slow, HostTimeout)
    const reason = new Error('enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 300)
    const stopped = withMariadb(host, { socketPath, login: admin, signal: controller.signal }, db =>
      db.run('DO SLEEP(20)'),
    )
    await assert.rejects(stopped, error => error === reason)
    await assert.rejects(
      withMariadb(host, { socketPath: `${folder}/none.sock`, login: admin }, async () => {}),
      DialFailed,
    )
    const silent = `${folder}/silent.sock`
    const server = createServer(socket => void setTimeout(() => socket.destroy(), 2_000)).listen(silent)
    await once(server, 'listening')
    const unanswered = { socketPath: silent, login: admin }
    await assert.rejects(
      withMariadb(host, { ...unanswered, timeoutMs: 300 }, async () => {}),
      HostTimeout,
    )
    await assert.rejects(
      withMariadb(host, unanswered, async () => {}),
      HostUnreachable,
    )
    server.close()
  })
})
