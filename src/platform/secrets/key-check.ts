import { join } from 'node:path'
import { ConfigError } from '#platform/config/config.ts'
import type { Db } from '#platform/db/database.ts'
import { findMeta, insertMeta } from '#platform/db/meta-store.ts'
import { type SecretBox, secretBox } from './box.ts'
import { createMasterKey, findMasterKey, MASTER_KEY_FILE } from './master-key.ts'

export const KEY_CHECK = 'master-key-check'
const PURPOSE = 'key-check'

/**
 * The box that opens this database's secrets. The master key is made on the very first start; a database whose key is
 * missing or another one is refused, since every secret in it would be unreadable.
 */
export const openSecretBox = async (db: Db, dataDir: string): Promise<SecretBox> => {
  const before = await findMeta(db, KEY_CHECK)
  const file = join(dataDir, MASTER_KEY_FILE)
  const key = findMasterKey(dataDir) ?? (before === undefined ? createMasterKey(dataDir) : undefined)
  if (!key) throw new ConfigError(`${file} is missing. Restore the copy that \`./fleetpress key export\` wrote.`)
  const box = secretBox(key)
  if (before === undefined) await insertMeta(db, KEY_CHECK, box.seal(PURPOSE, KEY_CHECK))
  // Read back: on a shared database another process may have been first, with its own key.
  if (!opensKeyCheck(box, before ?? (await findMeta(db, KEY_CHECK)) ?? '')) {
    throw new ConfigError(
      `${file} is not the master key of this database. Restore the copy that \`./fleetpress key export\` wrote.`,
    )
  }
  return box
}

/** Whether the secrets next to this check were sealed with the key of the box. */
export const opensKeyCheck = (box: SecretBox, sealed: string): boolean => {
  try {
    box.open(PURPOSE, sealed)
    return true
  } catch {
    return false
  }
}
