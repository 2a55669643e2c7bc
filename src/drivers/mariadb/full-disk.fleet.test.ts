import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { z } from 'zod'
import { killContainer, readLogs, startContainer } from '#drivers/docker/containers.ts'
import { waitHealthy } from '#drivers/docker/ensure-container.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { exec } from '#platform/host/command.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { Secret } from '#platform/host/secret.ts'
import { until } from '#test/fleet/until.ts'
import { startMariadb, type TestMariadb } from '#test/support/mariadb.ts'
import { type SmallDisk, smallDisk } from '#test/support/small-disk.ts'
import { type Mariadb, MariadbError, withMariadb } from './connection.ts'
import { ensureDatabase, ensureUser } from './databases.ts'

const MIB = 1024 ** 2
const DISK_BYTES = 600 * MIB
const RESERVE_MIB = 16
/** What is left when tables are created: at some of these a table fails halfway. */
const LEFT_KIB = [100, 72, 48, 24, 16, 8, 0]
/** Chance decides which one breaks it: most often one of the first three. */
const ROUNDS = 30
const STARTS = 3
const TABLE = '(id INT PRIMARY KEY, a VARCHAR(100), b LONGTEXT, KEY (a))'
const Id = z.object({ id: z.number() })

const host = new LocalHost()
const docker = dockerOf(host)
const password = new Secret('a good one')
let disk: SmallDisk
let server: TestMariadb

const asAdmin = <T>(work: (db: Mariadb) => Promise<T>): Promise<T> =>
  withMariadb(host, { socketPath: server.socketPath, login: server.admin }, work)

const asSite = <T>(work: (db: Mariadb) => Promise<T>): Promise<T> =>
  withMariadb(host, { socketPath: server.socketPath, login: { name: 'wp_a', password }, database: 'wp_a' }, work)

const leave = async (kib: number) => {
  disk.free()
  const script =
    'sync; avail=$(df --output=avail -B1 "$0" | tail -1); fallocate -l $((avail - $1 * 1024)) "$0/filler" || true'
  await host.run(exec('bash', '-c', script, disk.path, String(kib)))
}

/** As Docker does on a server, where it starts again what has ended. */
const startAgain = async () => {
  for (let tries = 1; ; tries += 1) {
    await startContainer(docker, server.container)
    try {
      return await waitHealthy(docker, server.container, { timeoutMs: 90_000 })
    } catch (error) {
      if (tries === STARTS) throw error
    }
  }
}

void describe('a database on a disk that fills up', { timeout: 15 * 60_000, concurrency: 1 }, () => {
  before(async () => {
    disk = smallDisk(DISK_BYTES)
    server = await startMariadb({ FLEETPRESS_RESERVE_MIB: String(RESERVE_MIB) }, disk.path)
    await asAdmin(async db => {
      for (const name of ['wp_a', 'wp_b']) await ensureDatabase(db, name)
      await ensureUser(db, { name: 'wp_a', password, database: 'wp_a' })
      await db.run('CREATE TABLE wp_b.kept (id INT PRIMARY KEY)')
    })
  })
  after(async () => {
    await server?.stop()
    disk?.[Symbol.dispose]()
  })

  void it('refuses new tables while there is still room, reads on, and goes back by itself', async () => {
    const reserve = `${server.folder}/data/reserve`
    const creates = (name: string) =>
      asSite(db => db.run(`CREATE TABLE ${name} (id INT)`)).then(
        () => true,
        error => {
          assert.ok(error instanceof MariadbError && error.reason === 'ER_OPTION_PREVENTS_STATEMENT', String(error))
          return false
        },
      )
    await until('Taking the reserve', async () => existsSync(reserve), 20_000)
    assert.equal(await creates('early'), true)
    await leave(RESERVE_MIB * 1024)
    let count = 0
    await until('Refusing tables', async () => !(await creates(`low_${(count += 1)}`)), 20_000)
    assert.deepEqual(await asSite(db => db.query(Id, 'SELECT id FROM early')), [])
    disk.fill()
    await until('Releasing the reserve', async () => !existsSync(reserve), 20_000)
    disk.free()
    await until('Creating tables', () => creates(`late_${(count += 1)}`), 20_000)
    await until('Taking the reserve', async () => existsSync(reserve), 20_000)
  })

  void it('starts after any crash, with all that was committed, when a table could not be created', async () => {
    const committed: { id: number }[] = []
    const isRepaired = async () => (await readLogs(docker, server.container)).includes('is marked as deleted')
    while (committed.length < ROUNDS && !(await isRepaired())) {
      for (const kib of LEFT_KIB) {
        await leave(kib)
        await asAdmin(async db => {
          for (const name of ['t1', 't2', 't3']) await db.run(`CREATE TABLE wp_a.${name} ${TABLE}`).catch(() => {})
        })
      }
      committed.push({ id: committed.length })
      await asAdmin(db => db.run('INSERT INTO wp_b.kept VALUES (?)', [committed.length - 1]))
      await killContainer(docker, server.container, 'KILL')
      disk.free()
      await startAgain()
      assert.deepEqual(await asAdmin(db => db.query(Id, 'SELECT id FROM wp_b.kept ORDER BY id')), committed)
    }
    assert.ok(await isRepaired(), 'no round broke it')
    const createAll = (db: Mariadb) =>
      Promise.all(['t1', 't2', 't3'].map(name => db.run(`CREATE OR REPLACE TABLE wp_a.${name} (id INT)`)))
    const canCreate = () =>
      asAdmin(createAll).then(
        () => true,
        () => false,
      )
    // The files of tables that never came to be go a moment after the start.
    await until('Creating tables of the same names', canCreate, 20_000)
  })
})
