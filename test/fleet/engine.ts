import { spawn } from 'node:child_process'
import { existsSync, openSync } from 'node:fs'
import { run, tryRun } from './run.ts'
import { until } from './until.ts'

const LOG_FILE = '/var/log/dockerd.log'
const START_LIMIT_MS = 30_000

const answers = async (): Promise<boolean> => (await tryRun('docker', ['info'])).exitCode === 0

/** It outlives the tests, as it would under systemd; a second one that starts at the same time ends by itself. */
const startDaemon = (): void => {
  const log = openSync(LOG_FILE, 'a')
  spawn('dockerd', [], { detached: true, stdio: ['ignore', log, log] })
    .on('error', () => undefined)
    .unref()
}

/** Makes sure that a Docker Engine answers on this machine; one that runs is left alone. */
export const ensureEngine = async (): Promise<void> => {
  if (await answers()) return
  if (existsSync('/run/systemd/system')) await run('systemctl', ['start', 'docker'])
  else startDaemon()
  await until(`Starting the Docker Engine (see ${LOG_FILE})`, answers, START_LIMIT_MS)
}
