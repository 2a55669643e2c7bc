import { randomInt } from 'node:crypto'
import { labelOf } from './label.ts'
import { run, tryRun } from './run.ts'

export interface Network {
  name: string
  subnet: number
  bridge: string
  /** The address of the machine with this number, from 0. */
  addressOf(machine: number): string
}

const SUBNETS = 64

/** The range for tests of network devices: no real network, and no network of a site, has addresses in it. */
const prefixOf = (subnet: number): string => `198.18.${subnet}`

const createWords = (fleet: string, subnet: number): string[] => [
  'network',
  'create',
  `--label=${labelOf(fleet)}`,
  `--subnet=${prefixOf(subnet)}.0/24`,
  `--gateway=${prefixOf(subnet)}.1`,
  `--opt=com.docker.network.bridge.name=testbed-${subnet}`,
  `fleetpress-${fleet}`,
]

/** What is known of a network once its subnet is. */
export const networkOf = (fleet: string, subnet: number): Network => ({
  name: `fleetpress-${fleet}`,
  subnet,
  bridge: `testbed-${subnet}`,
  addressOf: machine => `${prefixOf(subnet)}.${10 + machine}`,
})

/** A network of the fleet's own; a subnet that another fleet has is refused by the engine, and the next one tried. */
export const createNetwork = async (fleet: string): Promise<Network> => {
  const first = randomInt(SUBNETS)
  let refusal = ''
  for (let offset = 0; offset < SUBNETS; offset += 1) {
    const subnet = (first + offset) % SUBNETS
    const { exitCode, stderr } = await tryRun('docker', createWords(fleet, subnet))
    if (exitCode === 0) return networkOf(fleet, subnet)
    refusal = stderr
  }
  throw new Error(`No subnet is free for another fleet: ${refusal.trim()}`)
}

/** Where the machine's cable ends on this side. */
const findPort = async (container: string): Promise<string> => {
  const index = await run('docker', ['exec', container, 'cat', '/sys/class/net/eth0/iflink'])
  const links: { ifindex: number; ifname: string }[] = JSON.parse(await run('ip', ['-json', 'link', 'show']))
  const port = links.find(({ ifindex }) => ifindex === Number(index))
  if (port === undefined) throw new Error(`${container} has no link to this machine.`)
  return port.ifname
}

/**
 * Pulls the cable at the switch: the machine keeps its interface and address, and packets vanish both ways. The
 * neighbour entry stays, else callers would be told at once that the address is gone instead of waiting.
 */
export const unplug = async (container: string, address: string, bridge: string): Promise<void> => {
  const mac = await run('docker', ['exec', container, 'cat', '/sys/class/net/eth0/address'])
  await run('ip', ['neigh', 'replace', address, 'lladdr', mac, 'dev', bridge, 'nud', 'permanent'])
  await run('ip', ['link', 'set', await findPort(container), 'nomaster'])
}

export const plugIn = async (container: string, address: string, bridge: string): Promise<void> => {
  await run('ip', ['link', 'set', await findPort(container), 'master', bridge])
  await tryRun('ip', ['neigh', 'del', address, 'dev', bridge])
}
