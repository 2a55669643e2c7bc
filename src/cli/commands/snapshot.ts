import { readConfig } from '#platform/config/config.ts'
import { plainLine } from '../plain-text.ts'
import { bytes, out, say } from '../terminal.ts'

export const snapshot = async (options: { json?: boolean }): Promise<void> => {
  const { takeSnapshot } = await import('#app/local.ts')
  const taken = await takeSnapshot(readConfig(process.env), line => say(plainLine(line)))
  if (options.json) return out(JSON.stringify(taken, undefined, 2))
  out(`file    ${taken.file}`)
  out(`sha256  ${taken.sha256}`)
  out(`size    ${bytes(taken.sizeBytes)}`)
  say('Store it and the master key (`./fleetpress key export`) on two other machines.')
}
