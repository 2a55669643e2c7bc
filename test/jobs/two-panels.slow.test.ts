import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openFoundation } from '#app/foundation.ts'
import { workerName } from '#app/worker.ts'
import type { Config } from '#platform/config/config.ts'
import { MASTER_KEY_FILE } from '#platform/secrets/master-key.ts'
import { packed } from '#test/support/packed.ts'
import { newConfig } from '#test/support/panel.ts'
import { SOAK } from '#test/support/soak.ts'

const JOBS = SOAK ? 2000 : 500

interface SharedPanel {
  child: ChildProcess
  output: () => string
  ready: Promise<void>
}

const PANEL = packed(fileURLToPath(new URL('shared-queue-panel.ts', import.meta.url)))

const startPanel = (config: Config, folder: string, enqueue: number): SharedPanel => {
  const env = {
    ...process.env,
    FLEETPRESS_DATA: config.dataDir,
    DATABASE_URL: config.databaseUrl ?? '',
    EFFECTS_FOLDER: folder,
    ENQUEUE: String(enqueue),
  }
  const child = spawn(process.execPath, [PANEL], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', chunk => {
      text += String(chunk)
      if (text.includes('ready\n')) resolve()
    })
    child.once('exit', code => reject(new Error(`the panel ended with ${code} before it was ready`)))
  })
  return { child, output: () => text, ready }
}

describe('two panels on one PostgreSQL', { timeout: 300_000 }, () => {
  it(`share ${JOBS} jobs, and one killed in the middle costs none and doubles none`, async t => {
    const config = await newConfig('postgres')
    const second = { ...config, dataDir: join(config.dataDir, 'second') }
    const folder = join(config.dataDir, 'effects')
    for (const dir of [second.dataDir, folder]) mkdirSync(dir)
    const one = startPanel(config, folder, JOBS)
    try {
      await one.ready
      copyFileSync(join(config.dataDir, MASTER_KEY_FILE), join(second.dataDir, MASTER_KEY_FILE))
      const two = startPanel(second, folder, 0)
      await two.ready
      const started = performance.now()
      one.child.stdin?.write('go\n')
      two.child.stdin?.write('go\n')
      while (readdirSync(folder).length < JOBS / 2) await sleep(20)
      await killWhileItWorks(one.child, config)
      const [code] = (await once(two.child, 'exit')) as [number]
      assert.equal(code, 0)
      t.diagnostic(
        `${JOBS} jobs in ${((performance.now() - started) / 1000).toFixed(1)} s, the lease of the dead panel included`,
      )
      const accepted = [...one.output().matchAll(/^accepted (\S+)$/gm)].map(match => match[1] ?? '')
      assert.equal(accepted.length, JOBS)
      for (const id of accepted) assert.equal(statSync(join(folder, id)).size, 1, `the effect of ${id}`)
      await assertAllSucceeded(second)
    } finally {
      one.child.kill('SIGKILL')
      rmSync(config.dataDir, { recursive: true, force: true })
    }
  })
})

/** Held still for each look, so that the kill certainly hits jobs that are under way. */
const killWhileItWorks = async (child: ChildProcess, config: Config) => {
  const { database } = await openFoundation(config)
  try {
    const working = () =>
      database.db
        .selectFrom('job')
        .select('id')
        .where('status', '=', 'running')
        .where('worker', '=', workerName(config.dataDir))
        .executeTakeFirst()
    for (;;) {
      child.kill('SIGSTOP')
      if (await working()) break
      child.kill('SIGCONT')
      await sleep(5)
    }
    child.kill('SIGKILL')
  } finally {
    await database.close()
  }
}

const assertAllSucceeded = async (config: Config) => {
  const { database } = await openFoundation(config)
  try {
    const done = await database.db.selectFrom('job').select(['status', 'attempt']).execute()
    assert.ok(done.every(job => job.status === 'succeeded'))
    assert.ok(
      done.some(job => job.attempt > 1),
      'the kill hit jobs that were running, and the other panel took them over',
    )
    assert.deepEqual(await database.db.selectFrom('lane_hold').selectAll().execute(), [])
  } finally {
    await database.close()
  }
}
