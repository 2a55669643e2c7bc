import { leaseFrom, POOL_PLACE } from '#test/fleet/pool.ts'
import { type Fleet, vps } from '#test/fleet/vps.ts'
import { ensureStackDisk } from './stack-disk.ts'

/** Servers that a panel has set up, and that no one else has: for tests that may leave anything on them. */
export const ownServers = async (count: number): Promise<Fleet> => vps(count, { kept: await ensureStackDisk() })

/** The same, but within a whole run other files have had them before, and get them again once they are cleaned. */
export const leasedServers = async (count: number): Promise<Fleet> => {
  const pool = process.env[POOL_PLACE]
  return pool === undefined ? ownServers(count) : leaseFrom(pool, count, await ensureStackDisk())
}
