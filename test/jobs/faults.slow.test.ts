import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openFoundation } from '#app/foundation.ts'
import type { Config } from '#platform/config/config.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { ENGINES, type Engine, newConfig } from '#test/support/panel.ts'
import { freePort } from '#test/support/ports.ts'
import { SOAK } from '#test/support/soak.ts'
import { worldOf } from './effects-job.ts'
import { RECOVERY_LIMIT_MS, runPanel } from './run-panel.ts'

/** Two jobs that succeed and two that fail at their last and third step, in two lanes. */
const JOBS = [null, 4, null, 2]

/** Every accepted job ended as it should, each effect happened once or was taken back once, and no lane is held. */
const checkWorld = async (config: Config, ledger: string, accepted: Map<string, string>) => {
  const { database } = await openFoundation(config)
  try {
    for (const [id, expected] of accepted) {
      const row = await findJob(database.db, id)
      assert.equal(row?.status, expected, `job ${id}`)
      const { did, undid } = worldOf(ledger, id)
      if (expected === 'succeeded') assert.deepEqual({ did, undid }, { did: [1, 1, 1, 1, 1], undid: [0, 0, 0, 0, 0] })
      else assert.deepEqual(did, undid, 'what a failed job did is undone')
      assert.ok(
        did.every(count => count <= 1),
        'no effect is doubled',
      )
    }
    assert.deepEqual(await database.db.selectFrom('lane_hold').selectAll().execute(), [])
    assert.deepEqual(await database.db.selectFrom('job_lane').selectAll().execute(), [])
  } finally {
    await database.close()
  }
}

/** Kills at the given moments, one start after the other, then lets the panel recover and looks at the world. */
const killThenRecover = async (
  config: Config,
  ledger: string,
  kills: object[],
): Promise<{ kills: number; recoveryMs: number }> => {
  const accepted = new Map<string, string>()
  let killed = 0
  for (const [index, kill] of kills.entries()) {
    const run = await runPanel(config, { ...kill, ledger, enqueue: index === 0 ? JOBS : [] })
    for (const [id, status] of run.accepted) accepted.set(id, status)
    if (run.killed) killed += 1
  }
  const recovery = await runPanel(config, { ledger })
  assert.ok(!recovery.killed, `the panel recovers within ${RECOVERY_LIMIT_MS} ms`)
  await checkWorld(config, ledger, accepted)
  return { kills: killed, recoveryMs: recovery.tookMs }
}

/** In the normal run each database gets every eighth boundary, and another one than the other. */
const boundariesFor = (engine: Engine, count: number): number[] => {
  const all = Array.from({ length: count }, (_, index) => index + 1)
  return SOAK ? all : all.filter(n => n % 8 === 4 * ENGINES.indexOf(engine))
}

const killAtBoundaries = async (engine: Engine, perPoint: (n: number) => object[]) => {
  const config = await newConfig(engine, { FLEETPRESS_PORT: String(await freePort()) })
  let kills = 0
  let slowest = 0
  try {
    const { boundaries } = await runPanel(config, { ledger: join(config.dataDir, 'ledger-0'), enqueue: JOBS })
    assert.ok(boundaries > 40, `four jobs of five steps have many boundaries, not ${boundaries}`)
    for (const n of boundariesFor(engine, boundaries)) {
      const result = await killThenRecover(config, join(config.dataDir, `ledger-${n}`), perPoint(n))
      kills += result.kills
      slowest = Math.max(slowest, result.recoveryMs)
    }
  } finally {
    rmSync(config.dataDir, { recursive: true, force: true })
  }
  return { kills, slowest }
}

describe('a panel killed with -9 while jobs run', { concurrency: 2, timeout: 1_800_000 }, () => {
  for (const engine of ENGINES) {
    it(`loses nothing, doubles nothing, holds no lane, on ${engine}`, async t => {
      // The second kill hits the recovery itself, at a moment that differs from point to point.
      const kills = (n: number) =>
        SOAK
          ? [{ killAt: n }, { killAt: 1 + (n % 7) }, { killAfterMs: 300 + n * 11 }]
          : [{ killAt: n }, { killAt: 1 + (n % 7) }]
      const result = await killAtBoundaries(engine, kills)
      t.diagnostic(`${result.kills} kills, slowest recovery ${Math.round(result.slowest)} ms from process start`)
      assert.ok(result.kills >= (SOAK ? 100 : 10), `${result.kills} kills`)
    })
  }
})
