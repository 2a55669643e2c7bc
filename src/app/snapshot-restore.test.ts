import assert from 'node:assert/strict'
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { takeSnapshot as copyDatabase } from '#features/panel/snapshot.ts'
import type { Config } from '#platform/config/config.ts'
import { MASTER_KEY_FILE } from '#platform/secrets/master-key.ts'
import { type Diary, scriptedJob } from '#test/support/job-types.ts'
import { ENGINES, newConfig, OWNER, testPanel } from '#test/support/panel.ts'
import { exportMasterKey, restoreSnapshot, takeSnapshot } from './local.ts'
import { systemActor } from './world.ts'

const quiet = () => {}

/** A panel with an owner, a secret setting, a key and a job that is waiting; then a snapshot of it. */
const makePast = async (config: Config) => {
  const diary: Diary = []
  const type = scriptedJob(diary)
  const panel = await testPanel({ config, extraJobs: [type] })
  await panel.owner()
  await panel.as('full').settingsUpdate({ body: { mail: { password: 'smtp secret', host: '127.0.0.1' } } })
  const { id } = await panel.world
    .scope(systemActor('test'))
    .jobs.enqueue(type, type.input.parse({ name: 'waiting', site: 'shop' }))
  const { file, sha256 } = await copyDatabase(panel.foundation.database, config.dataDir, {
    name: 'past',
    now: Date.now(),
    version: '0.0.1',
  })
  writeFileSync(`${file}.sha256`, `${sha256}  ${file}\n`)
  await panel.close()
  const key = join(config.dataDir, 'exported.key')
  await exportMasterKey(config, key)
  return { token: panel.token.full, jobId: id, file, key }
}

/** Another machine: nothing but the two files. */
const newMachine = async (engineName: (typeof ENGINES)[number], past: { file: string; key: string }) => {
  const config = await newConfig(engineName)
  copyFileSync(past.key, join(config.dataDir, MASTER_KEY_FILE))
  const file = join(config.dataDir, 'given.fpsnap')
  copyFileSync(past.file, file)
  copyFileSync(`${past.file}.sha256`, `${file}.sha256`)
  return { config, file }
}

for (const from of ENGINES) {
  for (const to of ENGINES) {
    it(`a snapshot of ${from} restores on another machine with ${to}: people, keys, secrets and history`, {
      timeout: 300_000,
    }, async () => {
      const old = await newConfig(from)
      const past = await makePast(old)
      const { config, file } = await newMachine(to, past)
      const { rows } = await restoreSnapshot(config, file, quiet)
      assert.ok(rows > 5)
      const panel = await testPanel({ config })
      await panel.engine.start()
      await panel.signIn(OWNER.email, OWNER.password)
      const key = { authorization: `Bearer ${past.token}` }
      const settings = (await panel.ask('/api/settings', { headers: key })).json() as { secretsSet: string[] }
      assert.deepEqual(settings.secretsSet, ['mail.password'])
      const { job } = (await panel.ask(`/api/jobs/${past.jobId}`, { headers: key })).json() as {
        job: { status: string; error: { code: string } }
      }
      assert.deepEqual([job.status, job.error.code], ['failed', 'restored'])
      assert.equal(
        (await panel.ask('/setup', { method: 'POST', body: { ...OWNER, token: 'x'.repeat(43) } })).status,
        404,
      )
      await panel.stop()
      rmSync(old.dataDir, { recursive: true, force: true })
    })
  }
}

for (const engineName of ENGINES) {
  it(`./fleetpress snapshot on ${engineName}: asks the running panel, and does it itself where none runs`, {
    timeout: 300_000,
  }, async () => {
    const config = await newConfig(engineName)
    const said: string[] = []
    const alone = await takeSnapshot(config, line => said.push(line))
    assert.ok(said.includes('Done.'))
    const panel = await testPanel({ config })
    await panel.engine.start()
    const asked = await takeSnapshot(config, quiet)
    assert.notEqual(asked.file, alone.file)
    assert.equal(
      (await panel.as('read-only').jobList({ query: { type: 'panel.snapshot', status: 'succeeded' } })).total,
      2,
    )
    await panel.stop()
  })
}

describe('restoring', { timeout: 300_000 }, () => {
  const damages: Record<string, (file: string) => void> = {
    'cut off': file => truncateSync(file, 200),
    'changed in one byte': file => {
      const bytes = readFileSync(file)
      bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1
      writeFileSync(file, bytes)
    },
    'longer than it was': file => appendFileSync(file, 'x'),
    'something else': file => writeFileSync(file, 'hello'),
  }

  for (const [kind, damage] of Object.entries(damages)) {
    for (const withHash of [true, false]) {
      it(`refuses a file that is ${kind}${withHash ? '' : ', without its checksum'}, and changes nothing`, async () => {
        const config = await newConfig('sqlite')
        const past = await makePast(config)
        const { config: target, file } = await newMachine('sqlite', past)
        if (!withHash) rmSync(`${file}.sha256`)
        damage(file)
        await assert.rejects(restoreSnapshot(target, file, quiet))
        const panel = await testPanel({ config: target })
        assert.equal((await panel.ask('/api/keys', { headers: { authorization: `Bearer ${past.token}` } })).status, 401)
        await panel.stop()
        rmSync(config.dataDir, { recursive: true, force: true })
      })
    }
  }

  it('is refused while the panel runs, and keeps the database as it was next to the new one', async () => {
    const config = await newConfig('sqlite')
    const past = await makePast(config)
    const panel = await testPanel({ config })
    await assert.rejects(restoreSnapshot(config, past.file, quiet), /The panel is running/)
    await panel.close()
    const said: string[] = []
    await restoreSnapshot(config, past.file, line => said.push(line))
    assert.ok(said.some(line => line.includes('before-restore')))
    mkdirSync(config.dataDir, { recursive: true })
    rmSync(config.dataDir, { recursive: true, force: true })
  })
})
