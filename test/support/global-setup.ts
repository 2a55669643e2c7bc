import { POSTGRES_PLACE, startCluster } from './postgres.ts'

let stop = () => {}

/** One PostgreSQL for the whole run; test processes inherit where it is. */
export const globalSetup = async (): Promise<void> => {
  if (process.env[POSTGRES_PLACE] !== undefined) return
  const cluster = await startCluster()
  process.env[POSTGRES_PLACE] = String(cluster.port)
  stop = cluster.stop
}

export const globalTeardown = async (): Promise<void> => stop()
