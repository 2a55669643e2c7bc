import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { migrations } from '#app/migrations.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrate.ts'
import { secretBox } from '#platform/secrets/box.ts'
import { ENGINES } from '#test/support/panel.ts'
import { newPostgresDatabase } from '#test/support/postgres.ts'
import { fieldsOf, isSecretField, secretText, settingsSection } from './section.ts'
import { settings } from './settings.ts'
import { findSection } from './settings-store.ts'

const lamp = settingsSection({
  id: 'lamp',
  title: 'The lamp',
  fields: z.object({
    colour: z.enum(['red', 'green']).default('red').describe('Its colour.'),
    watts: z.number().int().min(1).max(100).default(40).describe('Its power.'),
    code: secretText('What opens it.'),
    pin: secretText('What closes it.'),
  }),
})
const door = settingsSection({
  id: 'door',
  title: 'The door',
  fields: z.object({ open: z.boolean().default(false).describe('Whether it is open.') }),
})

const key = randomBytes(32)

for (const engine of ENGINES) {
  describe(`settings as stored on ${engine}`, { timeout: 300_000 }, () => {
    let folder: string
    let database: Database
    let place: { sqliteFile: string; databaseUrl: string | undefined }
    const open = (withKey = key, on = database) => settings(on, secretBox(withKey), [lamp, door], () => 1234)
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'fleetpress-settings-'))
      const databaseUrl = engine === 'postgres' ? await newPostgresDatabase() : undefined
      place = { sqliteFile: join(folder, 'panel.db'), databaseUrl }
      database = await openDatabase(place)
      await migrate(database.db, migrations)
    })
    afterEach(async () => {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    })

    it('are the defaults until something is changed', async () => {
      assert.deepEqual(await open().read(lamp), { colour: 'red', watts: 40, code: '', pin: '' })
      assert.deepEqual(await findSection(database.db, 'lamp'), {})
    })

    it('are seen changed at once, here and by others on the same database', async () => {
      const elsewhere = await openDatabase(place)
      try {
        const [here, there] = [open(), open(key, elsewhere)]
        assert.deepEqual([(await here.read(lamp)).watts, (await there.read(lamp)).watts], [40, 40])
        await here.change({ lamp: { watts: 60 }, door: { open: true } })
        assert.deepEqual([(await here.read(lamp)).watts, await here.read(door)], [60, { open: true }])
        // Another process would ask in a later turn of the event loop.
        await setImmediate()
        assert.deepEqual([(await there.read(lamp)).watts, await there.read(door)], [60, { open: true }])
      } finally {
        await elsewhere.close()
      }
    })

    it('keep their secrets sealed, each for its own field', async () => {
      await open().change({ lamp: { code: 'open sesame', pin: '1234' } })
      const stored = await findSection(database.db, 'lamp')
      assert.ok(!JSON.stringify(stored).includes('sesame') && stored.pin !== '1234')
      assert.equal((await open().read(lamp)).code, 'open sesame')
      assert.equal(secretBox(key).open('setting:lamp.code', String(stored.code)), 'open sesame')
      assert.throws(() => secretBox(key).open('setting:lamp.pin', String(stored.code)))
      await assert.rejects(open(randomBytes(32)).read(lamp))
    })

    it('change all or nothing, and say where it is wrong', async () => {
      const it = open()
      const wrong: [Record<string, Record<string, unknown>>, string][] = [
        [{ door: { open: true }, lamp: { watts: 0 } }, 'lamp.watts'],
        [{ door: { open: true }, lamp: { colour: 'blue' } }, 'lamp.colour'],
        [{ door: { open: true }, lamp: { size: 1 } }, 'lamp.size'],
        [{ door: { open: true }, window: {} }, 'window'],
      ]
      for (const [changes, path] of wrong) {
        await assert.rejects(it.change(changes), (error: unknown) => {
          assert.ok(error instanceof Problem)
          assert.equal(error.code, 'validation_error')
          assert.deepEqual(
            (error.details as { path: string }[]).map(detail => detail.path),
            [path],
          )
          return true
        })
      }
      assert.deepEqual([await it.read(door), (await it.read(lamp)).watts], [{ open: false }, 40])
      assert.deepEqual(await findSection(database.db, 'door'), {})
    })

    it('lose no change that is made at the same time as another', async () => {
      const it = open()
      for (let round = 1; round <= 10; round += 1) {
        await Promise.all([
          it.change({ lamp: { watts: round }, door: {} }),
          it.change({ door: { open: round % 2 === 0 }, lamp: { code: `code ${round}` } }),
          it.change({ lamp: { colour: round % 2 === 0 ? 'red' : 'green' } }),
        ])
        const expected = { watts: round, code: `code ${round}`, colour: round % 2 === 0 ? 'red' : 'green', pin: '' }
        assert.deepEqual(await it.read(lamp), expected)
        assert.deepEqual(await it.read(door), { open: round % 2 === 0 })
      }
    })
  })
}

describe('a settings section', () => {
  it('knows which of its fields are secret', () => {
    const secret = fieldsOf(lamp).filter(([, schema]) => isSecretField(schema))
    assert.deepEqual(
      secret.map(([name]) => name),
      ['code', 'pin'],
    )
  })
})
