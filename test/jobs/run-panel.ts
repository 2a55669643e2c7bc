import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Config } from '#platform/config/config.ts'
import { packed } from '../support/packed.ts'

const PANEL = packed(fileURLToPath(new URL('fault-panel.ts', import.meta.url)))

/** A restarted panel has ended or resumed every job by then. */
export const RECOVERY_LIMIT_MS = 30_000

/** What a panel did before it ended or was killed. */
interface Run {
  accepted: Map<string, string>
  killed: boolean
  boundaries: number
  tookMs: number
}

/** Runs its own panel process until it is idle or kills itself, as it is ordered. */
export const runPanel = (config: Config, order: object): Promise<Run> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const env = {
      ...process.env,
      FLEETPRESS_DATA: config.dataDir,
      FLEETPRESS_PORT: String(config.port),
      ...(config.databaseUrl ? { DATABASE_URL: config.databaseUrl } : {}),
    }
    const child = spawn(process.execPath, [PANEL], {
      env: { ...env, FAULT_ORDER: JSON.stringify(order), NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), RECOVERY_LIMIT_MS)
    let output = ''
    child.stdout.on('data', chunk => {
      output += String(chunk)
    })
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code !== 0 && signal !== 'SIGKILL') return reject(new Error(`the panel ended with ${code}: ${output}`))
      const accepted = new Map(
        [...output.matchAll(/^accepted (\S+) (\S+)$/gm)].map(match => [match[1] ?? '', match[2] ?? '']),
      )
      resolve({
        accepted,
        killed: signal === 'SIGKILL',
        boundaries: Number(/^idle (\d+)$/m.exec(output)?.[1] ?? 0),
        tookMs: performance.now() - started,
      })
    })
  })
