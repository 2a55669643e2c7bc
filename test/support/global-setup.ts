import { ensureEngine } from '../fleet/engine.ts'
import { POOL_PLACE, startPool } from '../fleet/pool.ts'
import { POSTGRES_PLACE, startCluster } from './postgres.ts'

const held = new AsyncDisposableStack()

const isOfFleet = (word: string): boolean => /\.fleet\.test\.[jt]s$|\/fleet\/.*\.test\.[jt]s$/.test(word)

/** One PostgreSQL for the whole run; test processes inherit where it is. Tests of a fleet find what they share. */
export const globalSetup = async (): Promise<void> => {
  const ofFleet = process.argv.filter(isOfFleet).length
  if (ofFleet === 1) await ensureEngine()
  // It loads a whole panel, which other tests need not wait for.
  if (ofFleet > 1) {
    await (await import('../fleet/prepare.ts')).prepareFleet()
    const pool = await startPool()
    held.defer(pool.stop)
    process.env[POOL_PLACE] = pool.folder
  }
  if (process.env[POSTGRES_PLACE] !== undefined || process.env.FLEETPRESS_QUICK === '1') return
  const cluster = await startCluster()
  process.env[POSTGRES_PLACE] = String(cluster.port)
  held.defer(cluster.stop)
}

export const globalTeardown = (): Promise<void> => held.disposeAsync()
