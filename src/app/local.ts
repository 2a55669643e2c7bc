import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findOwner, newLink, updateAdmin } from '#features/admins/index.ts'
import { createKey, hashToken, isLiveKey } from '#features/panel/index.ts'
import { type Config, ConfigError } from '#platform/config/config.ts'
import type { Access } from '#platform/contract/level.ts'
import { findMasterKey, writeMasterKey } from '#platform/secrets/master-key.ts'
import { withLocalScope } from './local-scope.ts'

const CLI_KEY_FILE = 'cli.key'
const CLI_KEY_NAME = 'Command line on this machine'

export const createKeyOnThisMachine = (config: Config, name: string, access: Access): Promise<{ token: string }> =>
  withLocalScope(config, async scope => {
    const { token } = await createKey(scope.db, { name, access, createdBy: 'command line', now: scope.now() })
    return { token }
  })

/** The key this machine's command line uses, created when it is missing, expired or revoked. */
export const cliKey = (config: Config): Promise<string> => {
  const file = join(config.dataDir, CLI_KEY_FILE)
  return withLocalScope(config, async scope => {
    const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
    if (kept !== '' && (await isLiveKey(scope, hashToken(kept)))) return kept
    const { token } = await createKey(scope.db, {
      name: CLI_KEY_NAME,
      access: 'full',
      createdBy: 'command line',
      now: scope.now(),
    })
    writeFileSync(file, `${token}\n`, { mode: 0o600 })
    return token
  })
}

export const exportMasterKey = async (config: Config, file: string): Promise<void> => {
  const key = findMasterKey(config.dataDir)
  if (!key)
    throw new ConfigError(
      `There is no master key in ${config.dataDir} yet. Start the panel once with \`./fleetpress up\`.`,
    )
  if (existsSync(file))
    throw new ConfigError(`${file} already exists, and a key file is never overwritten. Choose another file.`)
  writeMasterKey(file, key)
}

/** The link that makes the owner, or undefined once there is one. Each call makes earlier links void. */
export const setupLink = (config: Config): Promise<string | undefined> =>
  withLocalScope(config, async scope => ((await findOwner(scope.db)) ? undefined : newLink(scope, 'setup', null)))

/** For an owner who is locked out: a link to a new password, without the second factor. */
export const resetAdmin = (config: Config): Promise<{ link: string; kind: 'setup' | 'reset'; email: string | null }> =>
  withLocalScope(config, async scope => {
    const owner = await findOwner(scope.db)
    if (!owner) return { link: await newLink(scope, 'setup', null), kind: 'setup', email: null }
    await updateAdmin(scope.db, owner.id, {
      totp_sealed: null,
      totp_pending_sealed: null,
      recovery_codes: '[]',
      disabled: 0,
    })
    return { link: await newLink(scope, 'reset', owner.id), kind: 'reset', email: owner.email }
  })

export { restoreSnapshot, takeSnapshot } from './local-snapshot.ts'
