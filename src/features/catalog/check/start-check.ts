import { listServers, OWN_SERVER } from '#features/servers/index.ts'
import type { Job } from '#platform/contract/job.ts'
import type { Db } from '#platform/db/database.ts'
import type { Scope } from '#platform/scope.ts'
import { changeZip, type ZipRow } from '../zip-store.ts'
import { pluginZipCheck } from './plugin.zip-check.ts'

/** On the panel's own server where that is set up, otherwise on the first one that is. */
const checkingServer = async (db: Db): Promise<number> => {
  const ready = (await listServers(db)).filter(({ provisioned_at }) => provisioned_at !== null).map(({ id }) => id)
  return ready.includes(OWN_SERVER) ? OWN_SERVER : (ready[0] ?? OWN_SERVER)
}

/** The zip counts as being checked from now on; within the transaction that its row is part of. */
export const startCheck = async (scope: Scope, zip: ZipRow, on: Db): Promise<Job> => {
  const job = await scope.jobs.enqueue(pluginZipCheck, { zipId: zip.id, serverId: await checkingServer(on) }, { on })
  await changeZip(on, zip.id, { is_checking: 1 })
  return job
}
