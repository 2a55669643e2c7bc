import { ensureEngine } from '../fleet/engine.ts'
import { POSTGRES_PLACE, startCluster } from './postgres.ts'

let stop = () => {}

const needsEngine = (word: string): boolean => /\.fleet\.test\.ts$|\/fleet\/.*\.test\.ts$/.test(word)

/** One PostgreSQL for the whole run; test processes inherit where it is. Tests of a fleet find a Docker Engine. */
export const globalSetup = async (): Promise<void> => {
  if (process.argv.some(needsEngine)) await ensureEngine()
  if (process.env[POSTGRES_PLACE] !== undefined) return
  const cluster = await startCluster()
  process.env[POSTGRES_PLACE] = String(cluster.port)
  stop = cluster.stop
}

export const globalTeardown = async (): Promise<void> => stop()
