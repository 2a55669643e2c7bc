import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Config } from '#platform/config/config.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import type { Fleet, Vps } from '#test/fleet/vps.ts'
import { register } from '#test/support/drive-panel.ts'
import { CLEAR, lanesAreFreeOn, lookAt, STACK_AS_DESIGNED, shellOn } from '#test/support/fault-house.ts'
import { boundariesOf, boundaryBefore, everyBoundary, type Kill, runKilledPanel } from '#test/support/killed-panel.ts'
import { ownServers } from '#test/support/leased-servers.ts'
import { newConfig, testPanel } from '#test/support/panel.ts'
import { SOAK } from '#test/support/soak.ts'
import { serverProvision } from '../jobs/server.provision.ts'

interface Case extends Kill {
  readonly prepare?: string
}

const CHOSEN: Case[] = [
  {
    killAt: boundaryBefore(serverProvision, 'Installing packages'),
    killAfterMs: 2000,
    prepare: 'apt-get remove -y zstd',
  },
  { killAt: boundaryBefore(serverProvision, 'Starting the services'), killAfterMs: 300 },
]
const CASES: Case[] = SOAK ? [...everyBoundary(serverProvision), ...CHOSEN] : CHOSEN

describe('a panel killed with -9 while it sets a server up', { timeout: SOAK ? 3_600_000 : 600_000 }, () => {
  let fleet: Fleet
  let server: Vps
  let config: Config
  let id: number
  const provision = () => ({ endpoint: 'serverReprovision' as const, request: { params: { id }, body: {} } })
  before(async () => {
    fleet = await ownServers(1)
    const [first] = fleet.servers
    assert.ok(first)
    server = first
    config = await newConfig('sqlite')
    const panel = await testPanel({ config })
    id = await register(panel, server)
    await panel.close()
    const { boundaries } = await runKilledPanel(config, { ask: provision() })
    assert.equal(boundaries, boundariesOf(serverProvision) + 1, 'the last boundary is after the end')
  })
  after(async () => {
    if (config) rmSync(config.dataDir, { recursive: true, force: true })
    await fleet?.[Symbol.asyncDispose]()
  })

  /** Resolves to how the job ended, after the lanes were seen to be free. */
  const endOf = async (jobId: string) => {
    const panel = await testPanel({ config })
    try {
      await lanesAreFreeOn(panel)
      const row = await findJob(panel.foundation.database.db, jobId)
      const { status } = await panel.as('full').serverGet({ params: { id } })
      return { job: row?.status, error: row?.error_message, server: status }
    } finally {
      await panel.close()
    }
  }

  for (const { prepare, ...kill } of CASES) {
    it(`continues where it stood: boundary ${kill.killAt}, ${kill.killAfterMs ?? 0} ms later`, async t => {
      await shellOn(server)(`${CLEAR}\n${prepare ?? ''}`)
      const first = await runKilledPanel(config, { ...kill, ask: provision() })
      assert.ok(first.killed && first.jobId)
      const second = await runKilledPanel(config)
      const end = await endOf(first.jobId)
      t.diagnostic(`${end.job}, ${Math.round(second.tookMs)} ms from the restart to the end`)
      assert.deepEqual(end, { job: 'succeeded', error: null, server: 'ready' })
      assert.deepEqual(await lookAt(server), STACK_AS_DESIGNED)
    })
  }

  it('continues although each of three starts is killed, too', async () => {
    await shellOn(server)(CLEAR)
    const { jobId } = await runKilledPanel(config, {
      ask: provision(),
      killAt: boundaryBefore(serverProvision, 'Starting the services'),
      killAfterMs: 100,
    })
    assert.ok(jobId)
    for (const killAfterMs of [50, 100, 400])
      assert.ok((await runKilledPanel(config, { killAt: 1, killAfterMs })).killed)
    await runKilledPanel(config)
    assert.equal((await endOf(jobId)).job, 'succeeded')
    assert.deepEqual(await lookAt(server), STACK_AS_DESIGNED)
  })
})
