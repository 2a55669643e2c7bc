import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { z } from 'zod'
import { execIn } from '#drivers/docker/exec.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { Secret } from '#platform/host/secret.ts'
import { startMariadb, type TestMariadb } from '#test/support/mariadb.ts'
import { checksumDatabase } from './checksum.ts'
import { type Mariadb, MariadbError, withMariadb } from './connection.ts'
import { dropDatabase, ensureDatabase, ensureUser } from './databases.ts'
import { type Beside, dump, load } from './programs.ts'

const host = new LocalHost()
const docker = dockerOf(host)
const password = new Secret('a good one')
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

const dumpText = async (name: string): Promise<string> => {
  const chunks: Buffer[] = []
  await dump(server.beside, { login: { name, password }, database: name }, chunk => void chunks.push(chunk))
  return Buffer.concat(chunks).toString()
}

void describe('a dump of a database', { timeout: 15 * 60_000, concurrency: 1 }, () => {
  before(async () => {
    server = await startMariadb()
  })
  after(() => server.stop())

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
    await load(server.beside, what, Readable.from([text.slice(0, 1000), text.slice(1000)]))
    assert.deepEqual(await checksum(), original)
    await as('wp_move', db => db.run('UPDATE big SET v = ? WHERE id = 20000', ['other']))
    const changed = await checksum()
    assert.notEqual(changed.parts.get('big'), original.parts.get('big'))
    await load(server.beside, what, Readable.from([text]))
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
      await assert.rejects(load(server.beside, what, Readable.from([text])), refused('program_failed'), text)
    }
    const found = await execIn(docker, server.container, ['find', '/tmp', '/mnt', '-name', 'CANARY*'])
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
    await assert.rejects(load(server.beside, what, source), /the source broke/)
    const names = await as('wp_cut', db => db.query(z.object({ Tables_in_wp_cut: z.string() }), 'SHOW TABLES'))
    assert.ok(names.every(({ Tables_in_wp_cut: name }) => name === 'whole'))
  })

  void it('never shows a password: not in a command, not in an error, not to who lists sessions', async () => {
    await makeSite('wp_quiet')
    const login = { name: 'wp_quiet', password: new Secret('s3cr3t-canary') }
    const seen: unknown[] = []
    const spy: Beside = (argv, options) => {
      seen.push(argv)
      return server.beside(argv, options)
    }
    await assert.rejects(
      dump(spy, { login, database: 'wp_quiet' }, () => {}),
      error => seen.push(error) > 0,
    )
    await assert.rejects(
      withMariadb(host, { socketPath: server.socketPath, login }, async () => {}),
      error => seen.push(error) > 0,
    )
    assert.equal(seen.length, 3)
    assert.doesNotMatch(inspect(seen, { depth: 9 }), /s3cr3t/)
  })
})
