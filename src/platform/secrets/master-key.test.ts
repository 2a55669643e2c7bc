import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { migrations } from '#app/migrations.ts'
import { ConfigError } from '#platform/config/config.ts'
import { openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import { ENGINES, type Engine } from '#test/support/panel.ts'
import { newPostgresDatabase } from '#test/support/postgres.ts'
import { openSecretBox } from './key-check.ts'
import {
  createMasterKey,
  encodeMasterKey,
  findMasterKey,
  MASTER_KEY_FILE,
  parseMasterKey,
  writeMasterKey,
} from './master-key.ts'

let folder: string
const newFolder = () => mkdtempSync(join(tmpdir(), 'fleetpress-key-'))
beforeEach(() => {
  folder = newFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const keyFile = (dataDir = folder) => join(dataDir, MASTER_KEY_FILE)

describe('the master key', () => {
  it('is 32 random bytes in a file only root can read', () => {
    assert.equal(findMasterKey(folder), undefined)
    const key = createMasterKey(folder)
    assert.equal(key.length, 32)
    assert.equal(statSync(keyFile()).mode & 0o777, 0o600)
    assert.match(readFileSync(keyFile(), 'utf8'), /^[0-9a-f]{64}\n$/)
    assert.deepEqual(findMasterKey(folder), key)
    assert.deepEqual(readdirSync(folder), [MASTER_KEY_FILE], 'nothing is left next to it')
  })

  it('is never the same twice', () => {
    const keys = Array.from({ length: 20 }, () => {
      rmSync(keyFile(), { force: true })
      return createMasterKey(folder).toString('hex')
    })
    assert.equal(new Set(keys).size, 20)
  })

  it('is never overwritten', () => {
    const key = createMasterKey(folder)
    assert.throws(() => createMasterKey(folder), { code: 'EEXIST' })
    assert.throws(() => writeMasterKey(keyFile(), randomBytes(32)), { code: 'EEXIST' })
    assert.deepEqual(findMasterKey(folder), key)
    assert.deepEqual(readdirSync(folder), [MASTER_KEY_FILE])
  })

  it('is made although an earlier start was cut off while writing it', () => {
    writeFileSync(join(folder, `${MASTER_KEY_FILE}.${process.pid}.part`), 'ab', { mode: 0o600 })
    assert.deepEqual(findMasterKey(folder), undefined)
    assert.deepEqual(createMasterKey(folder), findMasterKey(folder))
  })

  it('is made private again when others could read it', () => {
    createMasterKey(folder)
    chmodSync(keyFile(), 0o644)
    findMasterKey(folder)
    assert.equal(statSync(keyFile()).mode & 0o777, 0o600)
  })

  it('is refused when it is empty, short, long, no key at all, or a sample', () => {
    const hex = randomBytes(32).toString('hex')
    const counting = Buffer.from(Array.from({ length: 32 }, (_, index) => index))
    const samples = ['0'.repeat(64), 'f'.repeat(64), '0123456789abcdef'.repeat(4), counting.toString('hex')]
    const wrong = ['', '\n', hex.slice(2), `${hex}00`, hex.toUpperCase(), `${hex} ${hex}`, 'x'.repeat(64), 'secret']
    for (const text of [...wrong, ...samples]) {
      assert.throws(
        () => parseMasterKey(text, '/data/master.key'),
        (error: unknown) => error instanceof ConfigError && /^\/data\/master\.key .*\. Restore /.test(error.message),
        text,
      )
    }
    for (let tries = 0; tries < 10_000; tries += 1) {
      const random = randomBytes(32).toString('hex')
      assert.equal(parseMasterKey(`${random}\n`, 'x').toString('hex'), random)
    }
    assert.equal(encodeMasterKey(Buffer.from(hex, 'hex')), `${hex}\n`)
  })
})

const withDatabase = async (
  engine: Engine,
  work: (db: Awaited<ReturnType<typeof openDatabase>>['db']) => Promise<void>,
) => {
  const databaseUrl = engine === 'postgres' ? await newPostgresDatabase() : undefined
  const database = await openDatabase({ sqliteFile: join(folder, 'panel.db'), databaseUrl })
  try {
    await migrate(database.db, migrations)
    await work(database.db)
  } finally {
    await database.close()
  }
}

for (const engine of ENGINES) {
  describe(`the key of a database on ${engine}`, { timeout: 300_000 }, () => {
    it('is made at the first start and asked for at every later one', () =>
      withDatabase(engine, async db => {
        const sealed = (await openSecretBox(db, folder)).seal('p', 'text')
        assert.equal((await openSecretBox(db, folder)).open('p', sealed), 'text')
      }))

    it('is taken when it was there before the database, such as on a new machine', () =>
      withDatabase(engine, async db => {
        const key = createMasterKey(folder)
        await openSecretBox(db, folder)
        assert.deepEqual(findMasterKey(folder), key)
      }))

    it('is refused when it is another one, and said to be missing when it is', () =>
      withDatabase(engine, async db => {
        await openSecretBox(db, folder)
        rmSync(keyFile())
        await assert.rejects(openSecretBox(db, folder), /master\.key is missing\. Restore/)
        assert.equal(findMasterKey(folder), undefined, 'no new one is made')
        createMasterKey(folder)
        await assert.rejects(openSecretBox(db, folder), /is not the master key of this database\. Restore/)
      }))

    it('is one, also when several processes with folders of their own start at once', async () => {
      const folders = Array.from({ length: 6 }, newFolder)
      try {
        await withDatabase(engine, async db => {
          const started = await Promise.allSettled(folders.map(dataDir => openSecretBox(db, dataDir)))
          const boxes = started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
          assert.equal(boxes.length, 1)
          for (const result of started)
            if (result.status === 'rejected') assert.ok(result.reason instanceof ConfigError, String(result.reason))
        })
      } finally {
        for (const dataDir of folders) rmSync(dataDir, { recursive: true, force: true })
      }
    })
  })
}
