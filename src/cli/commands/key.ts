import { resolve } from 'node:path'
import { readConfig } from '#platform/config/config.ts'
import type { Access } from '#platform/contract/level.ts'
import { out, say } from '../terminal.ts'

/** Only the token goes to standard output, so that a script can keep it. */
export const createKey = async (name: string, access: Access): Promise<void> => {
  const { createKeyOnThisMachine } = await import('#app/local.ts')
  const { token } = await createKeyOnThisMachine(readConfig(process.env), name, access)
  say(`Token of the key ${JSON.stringify(name)}. Save it now; it won't be shown again:`)
  out(token)
}

export const exportKey = async (file = 'fleetpress-master.key'): Promise<void> => {
  const { exportMasterKey } = await import('#app/local.ts')
  const target = resolve(file)
  await exportMasterKey(readConfig(process.env), target)
  say('The master key is in the file below. Store it on another machine: without it, no snapshot can be restored.')
  out(target)
}
