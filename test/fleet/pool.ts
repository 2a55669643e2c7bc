import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isCleaned, noteClean } from './clean.ts'
import { keptImage } from './kept-disk.ts'
import { newFleetId, removeFleet } from './label.ts'
import { createNetwork, networkOf } from './network.ts'
import { tryRun } from './run.ts'
import { control, type Fleet, startMachine, type Vps } from './vps.ts'

/** The variable that tells test processes which folder holds the pool of their run. */
export const POOL_PLACE = 'FLEETPRESS_TEST_POOL'

const FILE = 'pool.json'
/** A file of this name stands for a server that no one has; anyone who removes it has the server. */
const FREE = '.free'

interface Pool {
  readonly folder: string
  readonly fleet: string
  readonly subnet: number
}

const readPool = (folder: string): Pool => ({ folder, ...JSON.parse(readFileSync(join(folder, FILE), 'utf8')) })

/** Servers are started when one is asked for and none is free; all of them go with the pool. */
export const startPool = async (): Promise<{ folder: string; stop(): Promise<void> }> => {
  const fleet = newFleetId()
  const { subnet } = await createNetwork(fleet)
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-pool-'))
  writeFileSync(join(folder, FILE), JSON.stringify({ fleet, subnet }))
  const stop = async () => {
    await removeFleet(fleet)
    rmSync(folder, { recursive: true, force: true })
  }
  return { folder, stop }
}

const takeFree = ({ folder }: Pool): number | undefined => {
  for (const file of readdirSync(folder).filter(name => name.endsWith(FREE))) {
    try {
      unlinkSync(join(folder, file))
      return Number.parseInt(file, 10)
    } catch {
      // Another process was faster.
    }
  }
  return undefined
}

/** A number that no other process has. */
const takeNumber = ({ folder }: Pool): number => {
  for (let number = 0; ; number += 1) {
    try {
      mkdirSync(join(folder, String(number)))
      return number
    } catch {}
  }
}

interface Leased {
  readonly server: Vps
  giveBack(): Promise<void>
}

const lease = async (pool: Pool, kept: string, name: string): Promise<Leased> => {
  const { fleet, subnet, folder } = pool
  const network = networkOf(fleet, subnet)
  const free = takeFree(pool)
  const number = free ?? takeNumber(pool)
  const container = `fleetpress-${fleet}-warm${number}`
  const machine = { fleet, name, container, address: network.addressOf(number), network, docker: true, kept }
  const server = control(machine)
  if (free === undefined) {
    await startMachine(machine, keptImage(kept))
    await noteClean(server)
  } else {
    await server.unpause()
  }
  const docker = async (...words: string[]) => (await tryRun('docker', [...words, container])).exitCode === 0
  const giveBack = async () => {
    // A server that waits would use a processor now and then, so it is paused.
    if ((await isCleaned(server)) && (await docker('pause'))) writeFileSync(join(folder, `${number}${FREE}`), '')
    else await docker('rm', '--force', '--volumes')
  }
  return { server, giveBack }
}

/** Servers of the pool until the end of the block that holds them; no one else has them in the meantime. */
export const leaseFrom = async (folder: string, count: number, kept: string): Promise<Fleet> => {
  const pool = readPool(folder)
  const leases = Array.from({ length: count }, (_, at) => lease(pool, kept, `vps${at + 1}`))
  const giveBack = async () => {
    const ended = await Promise.allSettled(leases.map(async leased => (await leased).giveBack()))
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }
  try {
    const servers = (await Promise.all(leases)).map(({ server }) => server)
    return { id: pool.fleet, servers, [Symbol.asyncDispose]: giveBack }
  } catch (error) {
    await giveBack().catch(() => {})
    throw error
  }
}
