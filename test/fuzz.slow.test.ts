import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { features } from '#app/features.ts'
import { systemActor } from '#app/world.ts'
import { createKey } from '#features/panel/index.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { ACCESS, type Access } from '#platform/contract/level.ts'
import { defineFeature, type Feature } from '#platform/feature.ts'
import { arbitraryOfJson, type JsonSchema } from './generated/arbitrary-json.ts'
import { bearer, type Headers } from './generated/callers.ts'
import { type Clock, clockFrom, MINUTE_MS } from './generated/clock.ts'
import { type FuzzReport, type FuzzRun, fuzz } from './generated/fuzz.ts'
import { inhabitedPanel, knownIds, TEST_JOBS } from './generated/inhabited.ts'
import { type Hints, type Planned, requestsTo } from './generated/requests.ts'
import { served, servedBy } from './generated/served.ts'
import { type Engine, OWNER, type TestPanel } from './support/panel.ts'

const PER_LEVEL: Record<Engine, number> = { sqlite: 10_000, postgres: 1000 }
const ANONYMOUS: Record<Engine, number> = { sqlite: 2000, postgres: 200 }
const AS_A_PERSON: Record<Engine, number> = { sqlite: 1500, postgres: 300 }
const LAG_LIMIT_MS = 500
const GROWTH_LIMIT_MIB = 100
const SLOWEST_MS = 10_000

/** In memory where there is such a place: the panel waits for the disk after every change. */
const FAST_FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const NO_LETTERS = ['host', 'port', 'security']

/** Settings are described by the panel itself; where letters go is left alone, so none leaves the machine. */
const settingsHint = async (panel: TestPanel): Promise<Hints> => {
  const { sections } = await panel.as('full').settingsGet()
  const models = sections.map(({ id, fields }) => {
    const kept = fields.filter(({ name }) => !NO_LETTERS.includes(name))
    const model = Object.fromEntries(kept.map(({ name, schema }) => [name, arbitraryOfJson(schema as JsonSchema)]))
    return fc.record({ [id]: fc.record(model, { requiredKeys: [] }) })
  })
  return { settingsUpdate: fc.oneof(...models).map(body => ({ body })) }
}

interface House {
  panel: TestPanel
  clock: Clock
  folder: string
  pool: unknown[]
  requests: fc.Arbitrary<Planned>
}

const openHouse = async (engineName: Engine, those: readonly Feature[] = features): Promise<House> => {
  const clock = clockFrom()
  const folder = mkdtempSync(join(FAST_FOLDER, 'fleetpress-fuzz-'))
  const panel = await inhabitedPanel({ engineName, features: those, now: clock.now, env: { FLEETPRESS_DATA: folder } })
  const pool: unknown[] = [...(await knownIds(panel)), OWNER.email, OWNER.password, 'test.label1', 'site-1']
  const requests = requestsTo(servedBy(those), pool, await settingsHint(panel))
  return { panel, clock, folder, pool, requests }
}

const close = async ({ panel, folder }: House) => {
  await panel.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** New jobs to look at and to cancel, and the ids that are there by now. */
const refill = async ({ panel, pool }: House) => {
  const { jobs } = panel.world.scope(systemActor('test'))
  for (const type of TEST_JOBS) await jobs.enqueue(type, {}).catch(() => undefined)
  pool.splice(0, pool.length, ...(await knownIds(panel)), OWNER.email, OWNER.password, 'test.label1', 'site-1')
}

const keyHeaders = (house: House, access: Access) => async (): Promise<Headers> => {
  await refill(house)
  const { db } = house.panel.foundation.database
  const { token } = await createKey(db, { name: 'fuzz', access, createdBy: 'test', now: house.clock.now() })
  return bearer(token)
}

/** Signs the owner in again, as they were: requests may have changed the password or ended the session. */
const personHeaders = (house: House, owner: Record<string, unknown>) => async (): Promise<Headers> => {
  await refill(house)
  const { db } = house.panel.foundation.database
  house.clock.pass(MINUTE_MS)
  await db.updateTable('admin').set(owner).where('owner', '=', 1).execute()
  await db.deleteFrom('failed_attempt').execute()
  const { cookie, csrfToken } = await house.panel.signIn(OWNER.email, OWNER.password)
  return { cookie, 'x-csrf-token': csrfToken }
}

const faultsOfRun = (report: FuzzReport): string[] => [
  ...report.faults,
  ...(report.lagMs < LAG_LIMIT_MS ? [] : [`the event loop stood still for ${report.lagMs} ms`]),
  ...(report.grownMiB < GROWTH_LIMIT_MIB ? [] : [`memory grew by ${report.grownMiB} MiB`]),
  ...(report.slowestMs < SLOWEST_MS ? [] : [`an answer took ${report.slowestMs} ms`]),
]

const tell = (context: TestContext, { sent, statuses, valid, lagMs, grownMiB, slowestMs }: FuzzReport) =>
  context.diagnostic(
    `${sent} requests, ${JSON.stringify(statuses)}, ${valid.refused} of ${valid.sent} valid ones refused as wrong, ` +
      `lag ${lagMs.toFixed(0)} ms, slowest ${slowestMs.toFixed(0)} ms, grown ${grownMiB.toFixed(0)} MiB`,
  )

const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000)

for (const engineName of ['sqlite', 'postgres'] as const) {
  describe(`any requests at all, on ${engineName}`, () => {
    let house: House
    const rejections: unknown[] = []
    const note = (reason: unknown) => void rejections.push(reason)
    before(async () => {
      process.on('unhandledRejection', note)
      house = await openHouse(engineName)
    })
    after(async () => {
      process.off('unhandledRejection', note)
      await close(house)
    })

    const run = async (context: TestContext, headers: FuzzRun['headers'], count: number) => {
      const { panel, clock, requests } = house
      const report = await fuzz({ panel, clock, endpoints: served, requests, headers, count, seed: SEED })
      tell(context, report)
      assert.deepEqual(faultsOfRun(report), [], `FUZZ_SEED=${SEED} does it again`)
      assert.equal(report.sent, count)
      assert.ok(report.valid.sent > count / 4, 'too few valid requests')
      assert.deepEqual(rejections, [])
      return report
    }

    it('of nobody', async context => {
      await run(context, async () => ({}), ANONYMOUS[engineName])
    })

    for (const access of ACCESS) {
      it(`of a key with ${access} access`, async context => {
        const { valid, statuses } = await run(context, keyHeaders(house, access), PER_LEVEL[engineName])
        assert.ok(valid.refused < valid.sent / 5, 'the contracts refuse what was made from them')
        assert.ok((statuses[200] ?? 0) > 0)
      })
    }

    it('of a person', async context => {
      const { db } = house.panel.foundation.database
      const owner = await db.selectFrom('admin').selectAll().where('owner', '=', 1).executeTakeFirstOrThrow()
      await run(context, personHeaders(house, owner), AS_A_PERSON[engineName])
    })
  })
}

const plantedContract = contract({
  planted: {
    method: 'POST',
    path: '/api/planted',
    level: 'read-only',
    summary: 'x',
    body: z.strictObject({ choice: z.enum(['fine', 'throw', 'lie', 'leak']) }),
    reply: z.object({ fine: z.literal(true) }),
  },
  plantedWait: {
    method: 'GET',
    path: '/api/planted-wait',
    level: 'read-only',
    summary: 'x',
    reply: z.object({ fine: z.literal(true) }),
  },
})

/** Wrong in one way at a time. */
const planted = (wrong: string): Feature =>
  defineFeature({
    name: 'planted',
    uses: [],
    contract: plantedContract,
    routes: {
      planted: async ({ body }) => {
        if (body.choice !== wrong) return { fine: true as const }
        if (wrong === 'throw') throw new TypeError('planted')
        return wrong === 'leak' ? { fine: true as const, passwordHash: 'x' } : { fine: false as true }
      },
      plantedWait: async () => {
        const end = performance.now() + (wrong === 'wait' ? LAG_LIMIT_MS + 100 : 0)
        while (performance.now() < end);
        return { fine: true as const }
      },
    },
  }) as unknown as Feature

describe('the fuzzer', () => {
  const runOn = async (wrong: string) => {
    const own = servedBy([planted(wrong)])
    const house = await openHouse('sqlite', [...features, planted(wrong)])
    try {
      const requests = requestsTo(wrong === 'wait' ? own.slice(1) : own.slice(0, 1), [], {})
      const headers = keyHeaders(house, 'read-only')
      const endpoints = [...served, ...own]
      const report = await fuzz({
        ...house,
        endpoints,
        requests,
        headers,
        count: wrong === 'wait' ? 10 : 400,
        seed: SEED,
      })
      return faultsOfRun(report).join('\n')
    } finally {
      await close(house)
    }
  }

  it('finds a handler that throws, one that lies, and one that shows more than it says', async () => {
    for (const wrong of ['throw', 'lie', 'leak']) assert.match(await runOn(wrong), /500: planted \(valid\) POST/, wrong)
    assert.equal(await runOn('nothing'), '')
  })

  it('finds a handler that makes everyone wait', async () => {
    assert.match(await runOn('wait'), /the event loop stood still/)
  })
})
