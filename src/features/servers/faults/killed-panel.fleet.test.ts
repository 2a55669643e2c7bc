import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Config } from '#platform/config/config.ts'
import { findJob } from '#platform/jobs/job-store.ts'
import { type Fleet, type Vps, vps } from '#test/fleet/vps.ts'
import { CLEAR, lanesAreFreeOn, lookAt, register, STACK_AS_DESIGNED, shellOn } from '#test/support/fault-house.ts'
import { newConfig, testPanel } from '#test/support/panel.ts'
import { SOAK } from '#test/support/soak.ts'
import { serverProvision } from '../jobs/server.provision.ts'

const RUN_LIMIT_MS = 120_000
const PANEL = new URL('../../../../test/jobs/provision-panel.ts', import.meta.url).pathname
/** Before and after each step, then before the end. */
const BOUNDARIES = 2 * serverProvision.steps.length + 1
const stepAt = (name: string) => 2 * serverProvision.steps.findIndex(step => step.name === name) + 1

interface Kill {
  killAt: number
  killAfterMs?: number
  prepare?: string
}

const CHOSEN: Kill[] = [
  { killAt: stepAt('Installing packages'), killAfterMs: 2000, prepare: 'apt-get remove -y zstd' },
  { killAt: stepAt('Starting the database'), killAfterMs: 300 },
]
const EVERY: Kill[] = Array.from({ length: BOUNDARIES }, (_, at) => ({ killAt: at + 1 }))

interface Run {
  jobId: string | undefined
  killed: boolean
  boundaries: number
  tookMs: number
}

const runPanel = (config: Config, order: object): Promise<Run> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const env = { FLEETPRESS_DATA: config.dataDir, FLEETPRESS_PORT: String(config.port), NODE_OPTIONS: '' }
    const child = spawn(process.execPath, [PANEL], {
      env: { ...process.env, ...env, FAULT_ORDER: JSON.stringify(order) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const timer = setTimeout(() => child.kill('SIGTERM'), RUN_LIMIT_MS)
    let output = ''
    child.stdout.on('data', chunk => {
      output += String(chunk)
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code !== 0 && signal !== 'SIGKILL')
        return reject(new Error(`the panel ended with ${signal ?? code}: ${output}`))
      const killed = signal === 'SIGKILL'
      const jobId = /^accepted (\S+)$/m.exec(output)?.[1]
      const boundaries = Number(/^idle (\d+)$/m.exec(output)?.[1] ?? 0)
      resolve({ jobId, killed, boundaries, tookMs: performance.now() - started })
    })
  })

describe('a panel killed with -9 while it sets a server up', { timeout: SOAK ? 3_600_000 : 600_000 }, () => {
  let fleet: Fleet
  let server: Vps
  let config: Config
  let id: number
  before(async () => {
    fleet = await vps(1, { docker: true })
    const [first] = fleet.servers
    assert.ok(first)
    server = first
    config = await newConfig('sqlite')
    const panel = await testPanel({ config })
    id = await register(panel, server)
    await panel.close()
    const { boundaries } = await runPanel(config, { provision: id })
    assert.equal(boundaries, BOUNDARIES + 1, 'the last boundary is after the end')
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

  for (const { prepare, ...kill } of SOAK ? [...EVERY, ...CHOSEN] : CHOSEN) {
    it(`goes on where it stood: boundary ${kill.killAt}, ${kill.killAfterMs ?? 0} ms later`, async t => {
      await shellOn(server)(`${CLEAR}\n${prepare ?? ''}`)
      const first = await runPanel(config, { ...kill, provision: id })
      assert.ok(first.killed && first.jobId)
      const second = await runPanel(config, {})
      const end = await endOf(first.jobId)
      t.diagnostic(`${end.job}, ${Math.round(second.tookMs)} ms from the restart to the end`)
      assert.deepEqual(end, { job: 'succeeded', error: null, server: 'ready' })
      assert.deepEqual(await lookAt(server), STACK_AS_DESIGNED)
    })
  }

  it('goes on although each of three starts is killed, too', async () => {
    await shellOn(server)(CLEAR)
    const { jobId } = await runPanel(config, {
      provision: id,
      killAt: stepAt('Starting the database'),
      killAfterMs: 100,
    })
    assert.ok(jobId)
    for (const killAfterMs of [50, 100, 400]) assert.ok((await runPanel(config, { killAt: 1, killAfterMs })).killed)
    await runPanel(config, {})
    assert.equal((await endOf(jobId)).job, 'succeeded')
    assert.deepEqual(await lookAt(server), STACK_AS_DESIGNED)
  })
})
