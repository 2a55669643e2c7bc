import { existsSync, readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { ensureEngine } from './engine.ts'
import { enter, LACKING } from './enter.ts'
import { giveDisk, keepDisk, keptImage } from './kept-disk.ts'
import { labelOf, newFleetId, removeFleet, removeLeftovers } from './label.ts'
import { createNetwork, type Network, plugIn, unplug } from './network.ts'
import { type Ended, type RunOptions, run } from './run.ts'
import { until } from './until.ts'
import { ensureVpsImage, type Suite } from './vps-image.ts'

export interface Vps {
  name: string
  address: string
  sshPort: number
  /** Lets the holder of the key in as root. */
  authorize(publicKey: string): Promise<void>
  /** Looks the world up behind the panel's back. */
  exec(argv: string[], options?: RunOptions): Promise<Ended>
  /** Packets vanish both ways, as with a cable pulled at the switch. A reboot plugs it in again. */
  cutOff(): Promise<void>
  reconnect(): Promise<void>
  /** Its kernel still accepts connections, but no program answers. */
  pause(): Promise<void>
  unpause(): Promise<void>
  /** The power goes, and stays off until `start`. */
  kill(): Promise<void>
  start(): Promise<void>
  reboot(): Promise<void>
  /** Not one byte more on the disk that holds /srv and /var/lib/docker. */
  fillDisk(): Promise<void>
  freeDisk(): Promise<void>
  /** Open sessions continue, as on any Debian. */
  restartSshd(): Promise<void>
  /** Ends the daemon and every session; systemd starts the daemon again. */
  killSshd(): Promise<void>
  /** Stops it permanently and keeps what is on it, for others to start with, and a folder of this machine next to it. */
  keepAs(name: string, beside: string): Promise<void>
}

export interface Fleet {
  id: string
  servers: Vps[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface FleetOptions {
  suite?: Suite
  /** Machines on which Docker is installed and runs, for tests that are not about installing it. */
  docker?: boolean
  /** Machines that start with what another one held when it was kept under this name. */
  kept?: string
}

const READY_LIMIT_MS = 60_000
const SSH_PORT = 22
const BOOT = readFileSync(join(import.meta.dirname, 'boot.sh'), 'utf8')

/** What runs on the machine may give some room back in the meantime, so it is filled until nothing is left. */
const FILL = `cd /var/lib/testbed/disk && { fallocate -l 1T full; } 2>/dev/null
for part in 1 2 3 4 5 6 7 8; do
  dd if=/dev/zero of=rest$part bs=4k 2>/dev/null; sync
  test "$(df --output=avail . | tail -n 1)" -eq 0 && exit 0
done
exit 1`
const FREE = 'rm -f /var/lib/testbed/disk/full /var/lib/testbed/disk/rest* && sync'
const AUTHORIZE = 'umask 077 && mkdir -p ~/.ssh && cat >> ~/.ssh/authorized_keys'

/** A name server on a loopback address is of no use inside, and systemd keeps the real ones next to it. */
const resolverFile = (): string =>
  ['/run/systemd/resolve/resolv.conf', '/etc/resolv.conf'].find(file => existsSync(file)) ?? '/etc/resolv.conf'

/** Rights enough for systemd and its own Docker, less the clock and the modules of the kernel we share. */
const runWords = (machine: Machine, image: string): string[] => [
  'run',
  '--detach',
  `--name=${machine.container}`,
  `--hostname=${machine.name}`,
  `--label=${labelOf(machine.fleet)}`,
  `--network=${machine.network.name}`,
  `--ip=${machine.address}`,
  '--cap-add=ALL',
  ...LACKING.map(right => `--cap-drop=${right}`),
  ...['seccomp', 'apparmor', 'systempaths'].map(part => `--security-opt=${part}=unconfined`),
  '--device-cgroup-rule=a *:* rwm',
  '--cgroupns=private',
  '--stop-signal=SIGRTMIN+3',
  '--env=container=docker',
  '--tmpfs=/run',
  '--tmpfs=/tmp',
  `--volume=${resolverFile()}:/etc/resolv.conf:ro`,
  `--volume=${machine.container}:/var/lib/testbed`,
  image,
  '/bin/sh',
  '-c',
  BOOT,
]

interface Machine {
  fleet: string
  name: string
  container: string
  address: string
  network: Network
  docker: boolean
  kept: string | undefined
}

const inside = ({ container }: Machine, argv: string[], options: RunOptions = {}): Promise<Ended> =>
  enter(container, argv, options)

const must = async (machine: Machine, argv: string[], input = ''): Promise<void> => {
  const { exitCode, stdout, stderr } = await inside(machine, argv, { input })
  if (exitCode !== 0) throw new Error(`${machine.name}: ${argv.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`)
}

const greets = (address: string): Promise<boolean> =>
  new Promise(resolve => {
    const socket = createConnection({ host: address, port: SSH_PORT, timeout: 1000 })
    const end = (isThere: boolean) => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('data', data => end(data.toString().startsWith('SSH-')))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
    socket.once('end', () => end(false))
  })

const isUp = async (machine: Machine): Promise<boolean> => {
  const { stdout } = await inside(machine, ['systemctl', 'is-system-running'])
  if (!['running', 'degraded'].includes(stdout.trim())) return false
  return !machine.docker || (await inside(machine, ['docker', 'info'])).exitCode === 0
}

const waitUntilReady = async (machine: Machine): Promise<void> => {
  await until(`Booting ${machine.name}`, () => isUp(machine), READY_LIMIT_MS)
  await until(`Reaching ${machine.name} over SSH`, () => greets(machine.address), READY_LIMIT_MS)
}

export const control = (machine: Machine): Vps => {
  const { name, container, address, network } = machine
  const docker = async (...words: string[]): Promise<void> => void (await run('docker', [...words, container]))
  const ready = () => waitUntilReady(machine)
  return {
    name,
    address,
    sshPort: SSH_PORT,
    authorize: publicKey => must(machine, ['sh', '-c', AUTHORIZE], `${publicKey.trim()}\n`),
    exec: (argv, options) => inside(machine, argv, options),
    cutOff: () => unplug(container, address, network.bridge),
    reconnect: () => plugIn(container, address, network.bridge),
    pause: () => docker('pause'),
    unpause: () => docker('unpause'),
    kill: () => docker('kill'),
    start: () => docker('start').then(ready),
    reboot: () => docker('restart', '--time=30').then(ready),
    fillDisk: () => must(machine, ['sh', '-c', FILL]),
    freeDisk: () => must(machine, ['sh', '-c', FREE]),
    restartSshd: () => must(machine, ['systemctl', 'restart', 'ssh']),
    killSshd: () => must(machine, ['pkill', '-KILL', '^sshd']).then(ready),
    keepAs: (kept, beside) => keepDisk(kept, container, beside),
  }
}

export const startMachine = async (machine: Machine, image: string): Promise<Vps> => {
  await run('docker', ['volume', 'create', '--label', labelOf(machine.fleet), machine.container])
  if (machine.kept !== undefined) await giveDisk(machine.kept, machine.container)
  await run('docker', runWords(machine, image))
  await waitUntilReady(machine)
  return control(machine)
}

/** Starts machines that stay until `removeFleet` is called with the same name. */
export const startFleet = async (fleet: string, count: number, options: FleetOptions = {}): Promise<Vps[]> => {
  const { suite = 'bookworm', kept } = options
  const docker = options.docker ?? kept !== undefined
  await ensureEngine()
  await removeLeftovers()
  const image = kept === undefined ? await ensureVpsImage(suite, docker) : keptImage(kept)
  const network = await createNetwork(fleet)
  const started = Array.from({ length: count }, (_, at) => {
    const name = `vps${at + 1}`
    const address = network.addressOf(at)
    const container = `fleetpress-${fleet}-${name}`
    return startMachine({ fleet, name, container, address, network, docker, kept }, image)
  })
  // What is still being started when one has failed would escape the removal.
  await Promise.allSettled(started)
  return Promise.all(started)
}

/** Blank Debian machines, gone with all that is in them at the end of the block that holds them with `await using`. */
export const vps = async (count: number, options: FleetOptions = {}): Promise<Fleet> => {
  const fleet = newFleetId()
  const remove = () => removeFleet(fleet)
  try {
    return { id: fleet, servers: await startFleet(fleet, count, options), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}
