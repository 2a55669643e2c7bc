import type { Config } from '#platform/config/config.ts'
import { createLog } from '#platform/log/log.ts'
import type { Scope } from '#platform/scope.ts'
import { features } from './features.ts'
import { openFoundation } from './foundation.ts'
import { createWorld, systemActor } from './world.ts'

/** What root may do on the panel's own machine without signing in: anyone who can read the data folder owns the panel. */
export const withLocalScope = async <T>(config: Config, work: (scope: Scope) => Promise<T>): Promise<T> => {
  const foundation = await openFoundation(config)
  try {
    const world = createWorld({ ...foundation, config, features, log: createLog('warn'), now: Date.now, jobMemos: [] })
    return await work(world.scope(systemActor('command line')))
  } finally {
    await foundation.database.close()
  }
}
