import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '#platform/db/id.ts'

/** The name this data folder's panel goes by in the job table, the same after every restart. */
export const workerName = (dataDir: string): string => {
  const file = join(dataDir, 'worker-id')
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  // Empty after a start that was cut off in the middle: a nameless panel would be every nameless panel.
  if (kept !== '') return kept
  const name = newId()
  writeFileSync(file, name, { mode: 0o600 })
  return name
}
