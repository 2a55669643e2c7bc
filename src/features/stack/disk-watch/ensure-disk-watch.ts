import { readFile } from 'node:fs/promises'
import { ROOT } from '#features/servers/index.ts'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { hasSystemd } from '../engine.ts'

const SCRIPT = `${ROOT}/disk-watch`
const UNIT = 'fleetpress-disk-watch.service'
const PID_FILE = '/run/fleetpress-disk-watch.pid'

const UNIT_TEXT = `[Unit]
Description=Keeps sites of Fleetpress within their disk limits
After=docker.service

[Service]
ExecStart=/bin/bash ${SCRIPT} ${ROOT}/sites
Restart=always
RestartSec=5
Nice=5

[Install]
WantedBy=multi-user.target
`

export const diskWatchScript = (): Promise<string> => readFile(new URL('./disk-watch.sh', import.meta.url), 'utf8')

/** Runs now and whenever the machine starts. */
export const ensureDiskWatch = async (host: Host): Promise<void> => {
  await host.writeFile(SCRIPT, await diskWatchScript(), { mode: 0o755 })
  if (await hasSystemd(host)) {
    await host.writeFile(`/etc/systemd/system/${UNIT}`, UNIT_TEXT, { mode: 0o644 })
    await host.run(exec('systemctl', 'daemon-reload'))
    await host.run(exec('systemctl', 'enable', UNIT))
    await host.run(exec('systemctl', 'restart', UNIT))
    return
  }
  const daemon = ['--pidfile', PID_FILE, '--startas', '/bin/bash']
  await host.run(exec('start-stop-daemon', '--stop', '--oknodo', '--retry', '5', ...daemon))
  const start = ['--start', '--background', '--make-pidfile', ...daemon, '--', SCRIPT, `${ROOT}/sites`]
  await host.run(exec('start-stop-daemon', ...start))
}
