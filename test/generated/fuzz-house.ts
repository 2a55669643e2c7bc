import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { systemActor } from '#app/world.ts'
import { createKey } from '#features/panel/index.ts'
import { type Config, readConfig } from '#platform/config/config.ts'
import type { Access } from '#platform/contract/level.ts'
import type { Feature } from '#platform/feature.ts'
import { type Engine, OWNER, type TestPanel } from '#test/support/panel.ts'
import { newPostgresDatabase } from '#test/support/postgres.ts'
import { arbitraryOfJson, type JsonSchema } from './arbitrary-json.ts'
import { bearer, type Headers } from './callers.ts'
import { type Clock, clockFrom, MINUTE_MS } from './clock.ts'
import { knownIds, populatedPanel, TEST_JOBS } from './populated.ts'
import { type Hints, type Planned, requestsTo } from './requests.ts'
import { servedBy, tried } from './served.ts'

/** A panel to be fuzzed. */
export interface House {
  panel: TestPanel
  clock: Clock
  requests: fc.Arbitrary<Planned>
  /** Ids and words that are known in it, kept up to date. */
  pool: unknown[]
}

/** In memory where there is such a place: the panel waits for the disk after every change. */
const FAST_FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const WORDS = [OWNER.email, OWNER.password, 'test.label1', 'site-1']

/** Where letters go is left alone, so that none leaves the machine. */
const LEFT_ALONE = ['host', 'port', 'security']

/** Settings are described by the panel itself and not by a contract. */
const settingsHint = async (panel: TestPanel): Promise<Hints> => {
  const { sections } = await panel.as('full').settingsGet()
  const models = sections.map(({ id, fields }) => {
    const kept = fields.filter(({ name }) => !LEFT_ALONE.includes(name))
    const model = Object.fromEntries(kept.map(({ name, schema }) => [name, arbitraryOfJson(schema as JsonSchema)]))
    return fc.record({ [id]: fc.record(model, { requiredKeys: [] }) })
  })
  return { settingsUpdate: fc.oneof(...models).map(body => ({ body })) }
}

const fastConfig = async (engineName: Engine): Promise<Config> =>
  readConfig({
    FLEETPRESS_DATA: mkdtempSync(join(FAST_FOLDER, 'fleetpress-fuzz-')),
    FLEETPRESS_PORT: '18080',
    LOG_LEVEL: 'silent',
    DNS_SERVERS: '127.0.0.1:9',
    ...(engineName === 'postgres' ? { DATABASE_URL: await newPostgresDatabase() } : {}),
  })

export const openHouse = async (engineName: Engine, those: readonly Feature[] = tried): Promise<House> => {
  const clock = clockFrom()
  const panel = await populatedPanel({ config: await fastConfig(engineName), features: those, now: clock.now })
  const pool: unknown[] = [...(await knownIds(panel)), ...WORDS]
  return { panel, clock, pool, requests: requestsTo(servedBy(those), pool, await settingsHint(panel)) }
}

/** New jobs to look at and to cancel, and the ids that are there by now. */
const refill = async ({ panel, pool }: House) => {
  const { jobs } = panel.world.scope(systemActor('test'))
  for (const type of TEST_JOBS) await jobs.enqueue(type, {}).catch(() => undefined)
  pool.splice(0, pool.length, ...(await knownIds(panel)), ...WORDS)
}

/** A key that is there: an earlier one may have been revoked. */
export const keyHeaders = (house: House, access: Access) => async (): Promise<Headers> => {
  await refill(house)
  const { db } = house.panel.foundation.database
  const { token } = await createKey(db, { name: 'fuzz', access, createdBy: 'test', now: house.clock.now() })
  return bearer(token)
}

/** The owner signed in, as they were at first: requests may have changed the password or ended the session. */
export const personHeaders = async (house: House): Promise<() => Promise<Headers>> => {
  const { db } = house.panel.foundation.database
  const owner = await db.selectFrom('admin').selectAll().where('owner', '=', 1).executeTakeFirstOrThrow()
  return async () => {
    await refill(house)
    house.clock.pass(MINUTE_MS)
    await db.updateTable('admin').set(owner).where('id', '=', owner.id).execute()
    await db.deleteFrom('failed_attempt').execute()
    const { cookie, csrfToken } = await house.panel.signIn(OWNER.email, OWNER.password)
    return { cookie, 'x-csrf-token': csrfToken }
  }
}
