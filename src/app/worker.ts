import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '#platform/db/id.ts'

/** The name this data folder's panel goes by in the job table, the same after every restart. */
export const workerName = (dataDir: string): string => {
  const file = join(dataDir, 'worker-id')
  if (!existsSync(file)) writeFileSync(file, newId(), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
