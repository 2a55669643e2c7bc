import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { before, describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { features } from '#app/features.ts'
import type { Feature } from '#platform/feature.ts'
import { type FuzzReport, fuzz } from './generated/fuzz.ts'
import { keyHeaders, openHouse } from './generated/fuzz-house.ts'
import { type Order, type Reports, WHO, type Who } from './generated/fuzz-process.ts'
import { plant } from './generated/planted.ts'
import { requestsTo } from './generated/requests.ts'
import { served, servedBy } from './generated/served.ts'
import { ENGINES, type Engine } from './support/panel.ts'
import { SOAK } from './support/soak.ts'

/** Requests for each endpoint, so that none is tried less because there are more of them; the long run sends more. */
const SHARE = served.length * (SOAK ? 28 : 1)
const COUNTS: Record<Engine, Record<Who, number>> = {
  sqlite: { nobody: 2 * SHARE, 'read-only': 5 * SHARE, manage: 5 * SHARE, full: 5 * SHARE, person: SHARE },
  postgres: { nobody: SHARE, 'read-only': 2 * SHARE, manage: 2 * SHARE, full: 2 * SHARE, person: SHARE },
}
const LAG_LIMIT_MS = 500
const GROWTH_LIMIT_MIB = 50
const SLOWEST_MS = 10_000
const PROCESS_LIMIT_MS = 30 * 60_000

const PROGRAM = fileURLToPath(new URL('generated/fuzz-process.ts', import.meta.url))
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(1_000_000_000))

/** One run in its own process; a rejection that no one handled ends it, and with it the test. */
const runApart = async (order: Order): Promise<Reports> => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM, JSON.stringify(order)], {
    timeout: PROCESS_LIMIT_MS,
    maxBuffer: 64 * 1024 * 1024,
  })
  assert.equal(stderr.replaceAll(/^.*ExperimentalWarning.*\n.*\n/gm, ''), '')
  return JSON.parse(stdout) as Reports
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

const assertGood = (report: FuzzReport, count: number) => {
  assert.deepEqual(faultsOfRun(report), [], `FUZZ_SEED=${SEED} does it again`)
  assert.equal(report.sent, count)
  assert.ok(report.valid.sent > count / 4, 'too few valid requests')
  assert.ok(report.valid.refused < report.valid.sent / 10, 'the contracts refuse what was made from them')
  if (count >= 1000) assert.ok((report.statuses[200] ?? 0) > 0, 'nothing was ever answered with 200')
}

for (const engineName of ENGINES) {
  describe(`any requests at all, on ${engineName}`, () => {
    const counts = COUNTS[engineName]
    let reports: Reports
    before(async () => {
      reports = await runApart({ engineName, counts, seed: SEED })
    })

    for (const who of WHO) {
      it(`${counts[who]} of ${who}`, context => {
        tell(context, reports[who])
        assertGood(reports[who], counts[who])
      })
    }
  })
}

const Fine = z.object({ fine: z.literal(true) })

/** Wrong in one way at a time. */
const planted = (wrong: string): Feature =>
  plant(
    {
      planted: {
        method: 'POST',
        path: '/api/planted',
        level: 'read-only',
        summary: 'x',
        body: z.strictObject({ choice: z.enum(['fine', 'throw', 'lie', 'leak']) }),
        reply: Fine,
      },
      plantedWait: { method: 'GET', path: '/api/planted-wait', level: 'read-only', summary: 'x', reply: Fine },
    },
    {
      planted: async ({ body }) => {
        if (body.choice !== wrong) return { fine: true as const }
        if (wrong === 'throw') throw new TypeError('planted')
        return wrong === 'leak' ? { fine: true as const, passwordHash: 'x' } : { fine: false as true }
      },
      plantedWait: async () => {
        const before = process.threadCpuUsage()
        const busyMs = wrong === 'wait' ? LAG_LIMIT_MS + 100 : 0
        while (process.threadCpuUsage(before).user / 1000 < busyMs);
        return { fine: true as const }
      },
    },
  )

describe('the fuzzer', () => {
  const runOn = async (wrong: string): Promise<string> => {
    const own = servedBy([planted(wrong)])
    const house = await openHouse('sqlite', [...features, planted(wrong)])
    try {
      const requests = requestsTo(wrong === 'wait' ? own.slice(1) : own.slice(0, 1), [], {})
      const headers = keyHeaders(house, 'read-only')
      const count = wrong === 'wait' ? 10 : 150
      return faultsOfRun(
        await fuzz({ ...house, endpoints: [...served, ...own], requests, headers, renewEvery: 100, count, seed: SEED }),
      ).join('\n')
    } finally {
      await house.panel.stop()
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
