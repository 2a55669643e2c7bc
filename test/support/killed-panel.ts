import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { api } from '#app/contract.ts'
import type { Config } from '#platform/config/config.ts'
import type { AnyJobType } from '#platform/jobs/job-type.ts'
import { packed } from './packed.ts'

const RUN_LIMIT_MS = 120_000
const PANEL = packed(fileURLToPath(new URL('../jobs/killed-panel.ts', import.meta.url)))

export interface Kill {
  /** Which boundary, counted from 1; without one the panel runs until no job is active. */
  readonly killAt?: number
  /** Counted from the boundary. */
  readonly killAfterMs?: number
}

/** A request that starts a job. */
export interface Asked {
  readonly endpoint: keyof typeof api
  readonly request: object
}

export interface KillOrder extends Kill {
  readonly ask?: Asked
}

export interface KilledRun {
  readonly jobId: string | undefined
  readonly killed: boolean
  readonly boundaries: number
  readonly tookMs: number
}

/** The boundary before a step, and the number of all: one before and one after each step, then one before the end. */
export const boundaryBefore = (type: AnyJobType, label: string): number => {
  const index = type.steps.findIndex(step => step.label === label)
  assert.notEqual(index, -1, `${type.type} has no step ${label}`)
  return 2 * index + 1
}
export const boundariesOf = (type: AnyJobType): number => 2 * type.steps.length + 1
export const everyBoundary = (type: AnyJobType): Kill[] =>
  Array.from({ length: boundariesOf(type) }, (_, at) => ({ killAt: at + 1 }))

/** Runs its own panel process on this data folder until it is idle or killed. */
export const runKilledPanel = (config: Config, order: KillOrder = {}): Promise<KilledRun> =>
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
      const jobId = /^accepted (\S+)$/m.exec(output)?.[1]
      const boundaries = Number(/^idle (\d+)$/m.exec(output)?.[1] ?? 0)
      resolve({ jobId, killed: signal === 'SIGKILL', boundaries, tookMs: performance.now() - started })
    })
  })
