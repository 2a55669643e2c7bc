import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { findContainer } from '#drivers/docker/containers.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { exec } from '#platform/host/command.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { Secret } from '#platform/host/secret.ts'
import { startMariadb, type TestMariadb } from '#test/support/mariadb.ts'
import { type Mariadb, MariadbError, withMariadb } from './connection.ts'
import { ensureDatabase, ensureUser } from './databases.ts'
import { withLongStatements } from './long-statements.ts'

const host = new LocalHost()
const password = new Secret('a good one')
const Created = z.object({ 'Create Table': z.string() })
const Count = z.object({ count: z.coerce.number() })
/** One statement that holds a gigabyte before it answers. */
const GREEDY = `SELECT ${Array.from({ length: 80 }, (_, at) => `LENGTH(REPEAT(${at}, 12000000))`).join(', ')}`
const SORT = `SELECT COUNT(*) AS count FROM (SELECT DISTINCT seq, REPEAT('x', 1000) FROM seq_1_to_400000) AS t`
let server: TestMariadb

const asAdmin = <T>(work: (db: Mariadb) => Promise<T>): Promise<T> =>
  withMariadb(host, { socketPath: server.socketPath, login: server.admin }, work)

const as = <T>(name: string, work: (db: Mariadb) => Promise<T>): Promise<T> =>
  withMariadb(host, { socketPath: server.socketPath, login: { name, password }, database: name }, work)

const createSite = (name: string, maxStatementSeconds = 0) =>
  asAdmin(async db => {
    await ensureDatabase(db, name)
    await ensureUser(db, { name, password, database: name, maxStatementSeconds })
  })

const isOutOfMemory = (error: unknown) =>
  error instanceof MariadbError && /OUTOFMEMORY|OUT_OF_RESOURCES/.test(error.reason)

void describe('an account of the database that wants too much', { timeout: 10 * 60_000, concurrency: 1 }, () => {
  before(async () => {
    const limits = { FLEETPRESS_STATEMENT_SECONDS: '3', FLEETPRESS_TEMPORARY_MIB: '64' }
    server = await startMariadb({ ...limits, FLEETPRESS_SESSION_MEMORY_MIB: '192' })
    for (const name of ['wp_greedy', 'wp_modest']) await createSite(name)
  })
  after(() => server?.stop())

  void it('gets InnoDB for every table, in the folder of its database', async () => {
    await as('wp_greedy', async db => {
      await db.run('CREATE TABLE a (id INT) ENGINE=MEMORY')
      await db.run("CREATE TABLE b (id INT) ENGINE=InnoDB DATA DIRECTORY='/tmp'")
      await db.run("CREATE TABLE c (id INT) ENGINE=MyISAM DATA DIRECTORY='/run/mysqld' INDEX DIRECTORY='/tmp'")
      await db.run('CREATE TEMPORARY TABLE d (id INT) ENGINE=MEMORY')
      await db.run('ALTER TABLE a ENGINE=MEMORY')
      for (const table of ['a', 'b', 'c', 'd']) {
        const [created] = await db.query(Created, `SHOW CREATE TABLE ${table}`)
        assert.match(created?.['Create Table'] ?? '', /ENGINE=InnoDB(?!.*DIRECTORY)/s)
      }
      await assert.rejects(db.run('SET SESSION enforce_storage_engine = NULL'), MariadbError)
    })
    const { stdout } = await host.run(exec('docker', 'exec', server.container, 'ls', '-A', '/tmp', '/run/mysqld'))
    assert.deepEqual(stdout.trim().split('\n'), ['/run/mysqld:', 'mysqld.sock', '', '/tmp:'])
  })

  void it('is refused more memory than there is, while others are served and the server runs on', async () => {
    const { startedAtMs } = (await findContainer(dockerOf(host), server.container)) ?? assert.fail()
    const over = new AbortController()
    const greedy = Array.from({ length: 6 }, () =>
      as('wp_greedy', async db => {
        await db.run('SET SESSION max_session_mem_used = 1000000000000').catch(() => {})
        for (let turn = 0; turn < 3; turn += 1) await assert.rejects(db.run(GREEDY), isOutOfMemory)
      }),
    )
    const all = Promise.all(greedy).finally(() => over.abort())
    let answered = 0
    while (!over.signal.aborted) {
      await as('wp_modest', db => db.query(Count, 'SELECT COUNT(*) AS count FROM information_schema.tables'))
      answered += 1
    }
    await all
    assert.ok(answered > 0)
    const found = await findContainer(dockerOf(host), server.container)
    assert.deepEqual([found?.state, found?.startedAtMs], ['running', startedAtMs])
  })

  void it('may not fill the disk with temporary files', async () => {
    const sorted = as('wp_greedy', async db => {
      await db.run('SET SESSION max_tmp_session_space_usage = 0')
      await db.run('SET SESSION max_statement_time = 0')
      return db.query(Count, SORT)
    })
    await assert.rejects(sorted)
    assert.deepEqual(await as('wp_modest', db => db.query(Count, SORT.replace('400000', '1000'))), [{ count: 1000 }])
  })

  void it('has a statement ended that takes too long, even when its session wants none to be', async () => {
    await createSite('wp_slow', 1)
    await assert.rejects(
      withMariadb(
        host,
        { socketPath: server.socketPath, login: { name: 'wp_slow', password }, database: 'wp_slow' },
        db => db.run('SET STATEMENT max_statement_time = 1 FOR SELECT SLEEP(20) FROM seq_1_to_2'),
      ),
      MariadbError,
    )
    const [{ seconds } = { seconds: 0 }] = await asAdmin(db =>
      db.query(
        z.object({ seconds: z.coerce.number() }),
        "SELECT max_statement_time AS seconds FROM mysql.user WHERE user = 'wp_slow'",
      ),
    )
    assert.equal(seconds, 1)
    const began = Date.now()
    await assert.rejects(
      as('wp_greedy', async db => {
        await db.run('SET SESSION max_statement_time = 0')
        await db.query(Count, `SELECT COUNT(*) AS count FROM seq_1_to_1000000 a, seq_1_to_1000000 b`)
      }),
      MariadbError,
    )
    assert.ok(Date.now() - began < 30_000)
  })

  void it('is left alone while the panel copies it, whatever else holds the lock of that name', async () => {
    const long = () =>
      as('wp_greedy', async db => {
        await db.run('SET SESSION max_statement_time = 0')
        await db.query(Count, 'SELECT COUNT(*) AS count FROM seq_1_to_2 WHERE SLEEP(4) = 0')
      })
    await asAdmin(db => withLongStatements(db, 'wp_greedy', long))
    await as('wp_modest', async db => {
      await db.query(z.unknown(), "SELECT GET_LOCK('fleetpress:wp_greedy', 0)")
      const ended = long().then(
        () => 'finished',
        () => 'ended',
      )
      assert.equal(await Promise.race([ended, sleep(30_000, 'nothing')]), 'ended')
    })
  })

  void it('is watched by processes that leave nothing behind', async () => {
    const { stdout } = await host.run(exec('docker', 'top', server.container, '-eo', 'pid,stat,comm'))
    assert.doesNotMatch(stdout, /defunct/)
  })
})
