import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIG_FILE } from '#platform/config/config.ts'

/** Sets values in the configuration file of the data folder; every other line stays as it is. */
export const configure = (dataDir: string, values: Readonly<Record<string, string>>): void => {
  const file = join(dataDir, CONFIG_FILE)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const kept = lines.filter(line => line !== '' && !Object.keys(values).some(name => line.startsWith(`${name}=`)))
  const set = Object.entries(values).map(([name, value]) => `${name}=${value}`)
  const next = `${file}.next`
  writeFileSync(next, `${[...kept, ...set].join('\n')}\n`, { mode: 0o600 })
  chmodSync(next, 0o600)
  renameSync(next, file)
}
