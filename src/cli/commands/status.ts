import { readConfig } from '#platform/config/config.ts'
import { askHealth } from '../panel/health.ts'
import { uptimeSeconds } from '../panel/process.ts'
import { findRunning } from '../panel/running.ts'
import { plainLine } from '../plain-text.ts'
import { duration, out } from '../terminal.ts'

const STOPPED = 3

interface Status {
  running: boolean
  pid: number | null
  startedBy: 'systemd' | 'process' | null
  address: string
  version: string | null
  uptimeSeconds: number | null
  healthy: boolean
  /** Why it is not healthy, in its own words. */
  problem: string | null
  dataFolder: string
}

const readStatus = async (): Promise<Status> => {
  const config = readConfig(process.env)
  const running = findRunning(config.dataDir)
  const health = running ? await askHealth(running.record ?? config) : undefined
  return {
    running: running !== undefined,
    pid: running?.identity.pid ?? null,
    startedBy: running?.by ?? null,
    address: running?.record?.publicUrl ?? config.publicUrl,
    version: health ? plainLine(health.version) : null,
    uptimeSeconds: running ? Math.round(uptimeSeconds(running.identity)) : null,
    healthy: health?.problem === null,
    problem: health?.problem ? plainLine(health.problem) : null,
    dataFolder: config.dataDir,
  }
}

const rowsOf = (status: Status): [string, string][] =>
  status.running
    ? [
        ['Panel', status.startedBy === 'systemd' ? 'running (fleetpress.service)' : 'running'],
        ['Health', status.healthy ? 'healthy' : (status.problem ?? 'not responding; see `./fleetpress logs`')],
        ['Address', status.address],
        ['Version', status.version ?? 'unknown'],
        ['Process', String(status.pid)],
        ['Uptime', duration(status.uptimeSeconds ?? 0)],
        ['Data folder', status.dataFolder],
      ]
    : [
        ['Panel', 'stopped; start it with `./fleetpress up`'],
        ['Data folder', status.dataFolder],
      ]

export const status = async (options: { json?: boolean }): Promise<void> => {
  const found = await readStatus()
  if (options.json) out(JSON.stringify(found, undefined, 2))
  else for (const [name, value] of rowsOf(found)) out(`${name.padEnd(12)} ${value}`)
  if (!found.running) process.exitCode = STOPPED
}
