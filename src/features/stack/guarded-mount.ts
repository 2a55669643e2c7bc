import { ROOT } from '#features/servers/index.ts'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { hasSystemd } from './engine.ts'

const UNIT = 'fleetpress-mount.service'
const FLAGS = 'remount,bind,nosuid,nodev'
const NO_MOUNTPOINT = [1, 32]

/** Waits for a disk that someone has mounted there. */
const UNIT_TEXT = `[Unit]
Description=Files of Fleetpress, without devices and programs that change the user
RequiresMountsFor=${ROOT}
Before=docker.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c 'mountpoint -q ${ROOT} || mount --rbind ${ROOT} ${ROOT}'
ExecStart=/bin/mount -o ${FLAGS} ${ROOT}

[Install]
WantedBy=multi-user.target docker.service
`

/**
 * The panel's folder is a mount with nosuid and nodev, now and whenever the machine starts. Containers take over the flags
 * with whatever they are given from it, which Docker has no other way to ask for. Disks that are mounted there or below
 * it stay as they are.
 */
export const ensureGuardedMount = async (host: Host): Promise<void> => {
  const { exitCode } = await host.run(exec('mountpoint', '-q', ROOT), { allowExitCodes: NO_MOUNTPOINT })
  if (exitCode !== 0) await host.run(exec('mount', '--rbind', ROOT, ROOT))
  await host.run(exec('mount', '-o', FLAGS, ROOT))
  if (!(await hasSystemd(host))) return
  await host.writeFile(`/etc/systemd/system/${UNIT}`, UNIT_TEXT, { mode: 0o644 })
  await host.run(exec('systemctl', 'daemon-reload'))
  await host.run(exec('systemctl', 'enable', UNIT))
}
