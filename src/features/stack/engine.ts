import { setTimeout as sleep } from 'node:timers/promises'
import { readEngine } from '#drivers/docker/engine.ts'
import { readText } from '#features/servers/index.ts'
import { exec } from '#platform/host/command.ts'
import { DialFailed, HostTimeout } from '#platform/host/errors.ts'
import { findFile } from '#platform/host/find-file.ts'
import type { Host } from '#platform/host/host.ts'
import { dockerOf } from './docker-of.ts'

const SETTINGS_FILE = '/etc/docker/daemon.json'
const PID_FILE = '/run/fleetpress-dockerd.pid'
const START_LIMIT_MS = 60_000
const PAUSE_MS = 250

/** Null when it does not answer. */
export const readEngineVersion = async (host: Host, signal?: AbortSignal): Promise<string | null> => {
  try {
    return (await readEngine(dockerOf(host), { signal })).version
  } catch (error) {
    if (error instanceof DialFailed || error instanceof HostTimeout) return null
    throw error
  }
}

/** Sites continue while Docker itself restarts. What others have set stays. True when something had to change. */
export const ensureEngineSettings = async (host: Host): Promise<boolean> => {
  const text = await readText(host, SETTINGS_FILE)
  const settings: Record<string, unknown> = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  if (settings['live-restore'] === true) return false
  await host.makeDir('/etc/docker')
  await host.writeFile(SETTINGS_FILE, `${JSON.stringify({ ...settings, 'live-restore': true }, null, 2)}\n`, {
    mode: 0o644,
  })
  return true
}

export const hasSystemd = async (host: Host): Promise<boolean> =>
  (await findFile(host, '/run/systemd/system'))?.kind === 'directory'

/** Runs, and runs again after a reboot where systemd looks after that. */
export const ensureEngine = async (host: Host, signal: AbortSignal): Promise<string> => {
  if (await hasSystemd(host))
    await host.run(exec('systemctl', 'enable', '--now', 'docker'), { timeoutMs: 120_000, signal })
  else if ((await readEngineVersion(host, signal)) === null) await startByHand(host, signal)
  const until = Date.now() + START_LIMIT_MS
  for (;;) {
    const version = await readEngineVersion(host, signal)
    if (version !== null) {
      await ensureLiveRestore(host, signal)
      return version
    }
    if (Date.now() > until) throw new HostTimeout(host.name, START_LIMIT_MS)
    await sleep(PAUSE_MS, undefined, { signal })
  }
}

/** An engine that ran before the setting was written takes it up without a restart. */
const ensureLiveRestore = async (host: Host, signal: AbortSignal): Promise<void> => {
  if ((await readEngine(dockerOf(host), { signal })).liveRestore || !(await hasSystemd(host))) return
  await host.run(exec('systemctl', 'reload', 'docker'), { timeoutMs: 60_000, signal })
}

const startByHand = (host: Host, signal: AbortSignal) => {
  const daemon = ['--make-pidfile', '--pidfile', PID_FILE, '--exec', '/usr/sbin/dockerd']
  return host.run(exec('start-stop-daemon', '--start', '--background', '--oknodo', ...daemon), { signal })
}
