import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '#platform/config/config.ts'
import { MASTER_KEY_FILE } from '#platform/secrets/master-key.ts'
import { confirm } from '../ask.ts'
import { EXIT, Failure } from '../failure.ts'
import { findRunning } from '../panel/running.ts'
import { plainLine } from '../plain-text.ts'
import { out, say } from '../terminal.ts'
import { checkRights, ensureDataFolder } from '../up/checks.ts'

export const restore = async (file: string, options: { yes?: boolean }): Promise<void> => {
  const config = readConfig(process.env)
  const source = resolve(file)
  if (!existsSync(source) || !statSync(source).isFile())
    throw new Failure(`There is no file ${source}: enter the path of a snapshot.`, EXIT.notFound)
  if (findRunning(config.dataDir)) {
    throw new Failure('The panel is running: stop it first with `./fleetpress down`.', EXIT.conflict)
  }
  checkRights(config.dataDir, process.getuid?.() ?? 0)
  await confirm(`This replaces the panel's database with ${source}.`, options.yes === true)
  ensureDataFolder(config.dataDir)
  const { restoreSnapshot } = await import('#app/local.ts')
  const { SnapshotError } = await import('#platform/db/snapshot.ts')
  const restoring = restoreSnapshot(config, source, line => say(plainLine(line)))
  const { tables, rows } = await restoring.catch((error: unknown) => {
    if (!(error instanceof SnapshotError)) throw error
    throw new Failure(`${source} can't be restored: ${error.message}. Use another snapshot.`, EXIT.damaged)
  })
  out(`Restored ${rows} rows in ${tables} tables. Start the panel with \`./fleetpress up\`.`)
  const key = join(config.dataDir, MASTER_KEY_FILE)
  if (!existsSync(key))
    say(`First copy the master key of the snapshot's panel to ${key}. The panel does not start without it.`)
}
