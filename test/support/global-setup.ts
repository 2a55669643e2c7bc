import { ensureEngine } from '../fleet/engine.ts'
import { prepareFleet } from '../fleet/prepare.ts'
import { POSTGRES_PLACE, startCluster } from './postgres.ts'

let stop = () => {}

const isOfFleet = (word: string): boolean => /\.fleet\.test\.ts$|\/fleet\/.*\.test\.ts$/.test(word)

/** One PostgreSQL for the whole run; test processes inherit where it is. Tests of a fleet find what they share. */
export const globalSetup = async (): Promise<void> => {
  const ofFleet = process.argv.filter(isOfFleet).length
  if (ofFleet > 0) await (ofFleet > 1 ? prepareFleet() : ensureEngine())
  if (process.env[POSTGRES_PLACE] !== undefined) return
  const cluster = await startCluster()
  process.env[POSTGRES_PLACE] = String(cluster.port)
  stop = cluster.stop
}

export const globalTeardown = async (): Promise<void> => stop()
