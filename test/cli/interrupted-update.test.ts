import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openFoundation } from '#app/foundation.ts'
import { refuseHalfUpdated } from '#app/run.ts'
import {
  findInterrupted,
  findUpdate,
  saveUpdate,
  UPDATE_STEPS,
  type UpdateState,
  type UpdateStep,
  updateFolder,
  updateLock,
} from '#features/system/index.ts'
import { type Config, ConfigError } from '#platform/config/config.ts'
import { isInMaintenance, sayMaintenance } from '#platform/config/maintenance.ts'
import { findMeta, writeMeta } from '#platform/db/meta-store.ts'
import { identify } from '#platform/host/process-identity.ts'
import { refuseWhileUpdating } from '../../src/cli/up/interrupted-update.ts'
import { settleInterrupted } from '../../src/cli/update/settle.ts'
import { copyDatabase, goBack, pointTo } from '../../src/cli/update/switch.ts'
import { until } from '../fleet/until.ts'
import { ENGINES, type Engine, newConfig, testPanel } from '../support/panel.ts'

const STEPS = Object.keys(UPDATE_STEPS) as UpdateStep[]
const MARK = 'update-test'
const LIMIT_MS = 600_000

interface Install {
  config: Config
  env: NodeJS.ProcessEnv
  state: UpdateState
  root: (version: string) => string
  inUse(): string
  started(): string[]
  write(value: string): Promise<void>
  read(): Promise<string | undefined>
}

const inDatabase = async <T>(config: Config, work: (db: Parameters<typeof findMeta>[0]) => Promise<T>): Promise<T> => {
  const { database } = await openFoundation(config)
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

/** Two versions in an install folder; each is a program that notes which words it was started with. */
const newInstall = async (engine: Engine): Promise<Install> => {
  const config = await newConfig(engine)
  const folder = join(config.dataDir, 'install')
  const root = (version: string) => join(folder, 'releases', version)
  const notes = join(config.dataDir, 'started.txt')
  for (const version of ['1.0.0', '1.1.0']) {
    mkdirSync(root(version), { recursive: true })
    const file = join(root(version), 'fleetpress')
    writeFileSync(file, `#!/bin/sh\necho "${version} $*" >> '${notes}'\n`)
    chmodSync(file, 0o755)
  }
  symlinkSync('releases/1.0.0', join(folder, 'current'))
  return {
    config,
    env: {
      PATH: process.env.PATH,
      FLEETPRESS_DATA: config.dataDir,
      ...(config.databaseUrl !== undefined && { DATABASE_URL: config.databaseUrl }),
    },
    state: {
      id: 'update-1',
      from: '1.0.0',
      to: '1.1.0',
      status: 'running',
      startedAt: Date.now(),
      finishedAt: null,
      error: null,
      steps: Object.entries(UPDATE_STEPS).map(([id, label]) => ({ id, label, status: 'waiting' })),
      oldRoot: root('1.0.0'),
      newRoot: root('1.1.0'),
      by: 'process',
      variables: {},
    },
    root,
    inUse: () => readlinkSync(join(folder, 'current')).replace('releases/', ''),
    started: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : []),
    write: value => inDatabase(config, db => writeMeta(db, MARK, value)),
    read: () => inDatabase(config, db => findMeta(db, MARK)),
  }
}

/** What the updater has done by the time it is killed in a step; the step itself is done or not, as a kill may fall. */
const reach = async (install: Install, step: UpdateStep, isStepDone: boolean): Promise<void> => {
  const { config, state } = install
  const at = STEPS.indexOf(step)
  for (const [index, one] of state.steps.entries())
    one.status = index < at ? 'done' : index === at ? 'running' : 'waiting'
  const isPast = (one: UpdateStep) => STEPS.indexOf(one) < at || (one === step && isStepDone)
  mkdirSync(updateFolder(config.dataDir), { recursive: true })
  if (at >= STEPS.indexOf('download')) writeFileSync(join(updateFolder(config.dataDir), 'release.tar.gz'), 'part')
  if (step === 'unpack') mkdirSync(`${state.newRoot}.unpacking`)
  if (step === 'trial') mkdirSync(join(updateFolder(config.dataDir), 'trial'))
  if (at >= STEPS.indexOf('stop')) sayMaintenance(config.dataDir)
  if (isPast('copy')) await copyDatabase(config)
  if (isPast('start')) {
    pointTo(state.newRoot)
    await install.write('new')
  }
  saveUpdate(config.dataDir, state)
}

/** The lock of an updater that was killed. */
const leaveLock = ({ config }: Install): void => {
  const pid = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }))
  writeFileSync(updateLock(config.dataDir), JSON.stringify({ pid, startTicks: 1, bootId: 'earlier' }))
}

const settled = async (install: Install, status: string): Promise<void> => {
  const { config, state } = install
  const found = findUpdate(config.dataDir)
  assert.equal(found?.status, status)
  assert.deepEqual(found?.variables, {})
  assert.equal(isInMaintenance(config.dataDir), false)
  assert.equal(existsSync(updateLock(config.dataDir)), false)
  for (const left of ['release.tar.gz', 'trial', 'before'])
    assert.equal(existsSync(join(updateFolder(config.dataDir), left)), false, left)
  assert.equal(existsSync(`${state.newRoot}.unpacking`), false)
}

const withInstall = async (engine: Engine, work: (install: Install) => Promise<void>): Promise<void> => {
  const install = await newInstall(engine)
  try {
    await install.write('old')
    await work(install)
  } finally {
    rmSync(install.config.dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

const oldStart = '1.0.0 up --no-server --detached'

for (const engine of ENGINES) {
  describe(`an update that is killed, on ${engine}`, { timeout: LIMIT_MS, concurrency: false }, () => {
    // The steps before the database is touched are the same on both.
    const steps = STEPS.slice(engine === 'sqlite' ? 0 : STEPS.indexOf('copy'))
    for (const step of steps)
      for (const isStepDone of ['copy', 'start'].includes(step) ? [false, true] : [false])
        it(`${isStepDone ? 'at the end of' : 'in'} the step ${step}: the old version with its data`, () =>
          withInstall(engine, async install => {
            await reach(install, step, isStepDone)
            leaveLock(install)
            const { config, env } = install
            const isReplacing = STEPS.indexOf(step) >= STEPS.indexOf('stop')
            assert.deepEqual(await settleInterrupted(config.dataDir, env), {
              version: '1.0.0',
              root: install.root('1.0.0'),
            })
            await settled(install, isReplacing ? 'rolled_back' : 'failed')
            assert.equal(install.inUse(), '1.0.0')
            assert.equal(await install.read(), 'old')
            assert.deepEqual(install.started(), isReplacing ? [oldStart] : [])
            await install.write('later')
            assert.equal(await settleInterrupted(config.dataDir, env), undefined)
            assert.equal(await install.read(), 'later')
          }))

    it('once the new version has shown that it works: the new version with its data', () =>
      withInstall(engine, async install => {
        await reach(install, 'watch', true)
        for (const one of install.state.steps) one.status = 'done'
        saveUpdate(install.config.dataDir, install.state)
        leaveLock(install)
        const { config, env } = install
        assert.equal((await settleInterrupted(config.dataDir, env))?.version, '1.1.0')
        await settled(install, 'succeeded')
        assert.equal(install.inUse(), '1.1.0')
        assert.equal(await install.read(), 'new')
        assert.deepEqual(install.started(), ['1.1.0 up --no-server --detached'])
      }))

    it('while it goes back, after the old version was started: what was changed since stays', () =>
      withInstall(engine, async install => {
        const { config, env, state } = install
        await reach(install, 'watch', false)
        await goBack(config, state, env)
        assert.equal(await install.read(), 'old')
        await install.write('later')
        leaveLock(install)
        assert.equal((await settleInterrupted(config.dataDir, env))?.version, '1.0.0')
        assert.equal(await install.read(), 'later')
        assert.equal(install.inUse(), '1.0.0')
      }))

    it('before it copied the database: the copy of an earlier update is not used', () =>
      withInstall(engine, async install => {
        const { config, env } = install
        await install.write('long ago')
        await copyDatabase(config)
        await install.write('old')
        await reach(install, 'stop', false)
        leaveLock(install)
        await settleInterrupted(config.dataDir, env)
        assert.equal(await install.read(), 'old')
      }))

    it('before it changed anything: the panel ends it as it starts', () =>
      withInstall(engine, async install => {
        await reach(install, 'copy', false)
        leaveLock(install)
        await refuseHalfUpdated(install.config)
        const panel = await testPanel({ config: install.config })
        try {
          const { update } = await panel.as('read-only').systemUpdateGet()
          assert.deepEqual([update?.status, update?.error], ['failed', 'The update was interrupted.'])
        } finally {
          await panel.close()
        }
        assert.equal(await install.read(), 'old')
      }))
  })
}

describe('an update of the panel', { timeout: LIMIT_MS }, () => {
  it('that was killed with a changed database: no panel opens it, and the start settles it', () =>
    withInstall('sqlite', async install => {
      const { config, root } = install
      await reach(install, 'start', true)
      leaveLock(install)
      await assert.rejects(
        refuseHalfUpdated(config, root('1.1.0')),
        (error: unknown) => error instanceof ConfigError && /was interrupted/.test(error.message),
      )
      const end = join(updateFolder(config.dataDir), 'run', `${install.state.id}-settle`, 'exit')
      await until('The process that settles it', () => Promise.resolve(existsSync(end)), LIMIT_MS)
      assert.deepEqual(install.started(), ['1.1.0 update --settle'])
    }))

  it('is not interrupted while its process lives, or before it had time to begin', () =>
    withInstall('sqlite', async install => {
      const { config, state } = install
      const { dataDir } = config
      saveUpdate(dataDir, state)
      assert.equal(findInterrupted(dataDir), undefined)
      assert.equal(findInterrupted(dataDir, state.startedAt + 600_000)?.id, state.id)
      await reach(install, 'copy', false)
      assert.equal(findInterrupted(dataDir)?.id, state.id)
      writeFileSync(updateLock(dataDir), JSON.stringify(identify(process.pid)))
      assert.equal(findInterrupted(dataDir), undefined)
      assert.throws(() => refuseWhileUpdating(dataDir, {}), /being updated to version 1\.1\.0/)
      refuseWhileUpdating(dataDir, { FLEETPRESS_UPDATER: String(process.pid) })
      assert.throws(() => refuseWhileUpdating(dataDir, { FLEETPRESS_UPDATER: '1' }), /was interrupted/)
    }))
})
