import { randomUUID } from 'node:crypto'
import { cp, rename } from 'node:fs/promises'
import { basename } from 'node:path'
import { run, tryRun } from './run.ts'

const LABEL = 'fleetpress.kept-disk'
const FILE = 'disk.img'
/** Checkouts of different versions on one machine each have their own. */
const MOST_KEPT = 4
const COPY_LIMIT_MS = 5 * 60_000

/** The system of a machine is kept as an image, its disk in a volume. */
export const keptImage = (name: string): string => `fleetpress-testbed/kept:${name}`
const volumeOf = (name: string): string => `fleetpress-kept-${name}`

const folderOf = (volume: string): Promise<string> =>
  run('docker', ['volume', 'inspect', '--format', '{{.Mountpoint}}', volume])

/** Where the disk is, and whatever else should be kept with it. */
export const keptFolder = (name: string): Promise<string> => folderOf(volumeOf(name))

/** The image is made last, so where it is the disk is there, too. */
export const isKept = async (name: string): Promise<boolean> => {
  const parts = [
    ['image', keptImage(name)],
    ['volume', volumeOf(name)],
  ] as const
  const found = await Promise.all(parts.map(([kind, part]) => tryRun('docker', [kind, 'inspect', part])))
  return found.every(({ exitCode }) => exitCode === 0)
}

const copyDisk = (from: string, to: string): Promise<string> =>
  run('cp', ['--sparse=always', from, to], { timeoutMs: COPY_LIMIT_MS })

/** Gives a machine that has not started yet the disk that was kept. It takes only the room that is written to. */
export const giveDisk = async (name: string, machineVolume: string): Promise<void> => {
  await copyDisk(`${await keptFolder(name)}/${FILE}`, `${await folderOf(machineVolume)}/${FILE}`)
}

/** What makes a machine itself: the next start recreates it. Unused blocks would be copied each time. */
const FORGET_ITSELF = `docker stop $(docker ps -q) > /dev/null
rm -rf /etc/ssh/ssh_host_* ~/.ssh && : > /etc/machine-id
fstrim /var/lib/testbed/disk`

/** Stops the machine and keeps all that is on it under a name, with a folder of this machine next to it. */
export const keepDisk = async (name: string, container: string, beside: string): Promise<void> => {
  await run('docker', ['exec', container, 'sh', '-c', FORGET_ITSELF])
  await run('docker', ['stop', '--time=60', container])
  await run('docker', ['volume', 'create', '--label', LABEL, volumeOf(name)])
  const folder = await keptFolder(name)
  const unfinished = `${folder}/${randomUUID()}.part`
  await copyDisk(`${await folderOf(container)}/${FILE}`, unfinished)
  await rename(unfinished, `${folder}/${FILE}`)
  await cp(beside, `${folder}/${basename(beside)}`, { recursive: true })
  await run('docker', ['commit', container, keptImage(name)], { timeoutMs: COPY_LIMIT_MS })
  await removeOldest(name)
}

/** What a machine still starts from is refused by the engine and stays. */
const removeOldest = async (newest: string): Promise<void> => {
  const format = '{{.CreatedAt}} {{.Name}}'
  const names = await run('docker', ['volume', 'ls', '--quiet', '--filter', `label=${LABEL}`])
  if (names === '') return
  const lines = await run('docker', ['volume', 'inspect', '--format', format, ...names.split('\n')])
  const others = lines
    .split('\n')
    .toSorted()
    .map(line => line.split(' ')[1]?.slice(volumeOf('').length) ?? '')
    .filter(name => name !== newest)
  for (const name of others.slice(0, -(MOST_KEPT - 1))) {
    await tryRun('docker', ['image', 'rm', keptImage(name)])
    await tryRun('docker', ['volume', 'rm', volumeOf(name)])
  }
}
