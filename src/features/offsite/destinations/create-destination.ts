import { randomBytes } from 'node:crypto'
import type { Request } from '#platform/contract/endpoint.ts'
import { newId } from '#platform/db/id.ts'
import type { Scope } from '#platform/scope.ts'
import type { offsite, Passphrase } from '../contract.ts'
import { checkAccess, sealPassphrase, sealSecrets } from '../remote/check-access.ts'
import { type DestinationRow, insertDestination } from './destination-store.ts'

const PASSWORD_BYTES = 32
const SALT_BYTES = 16

type Asked = Request<(typeof offsite)['destinationCreate']>['body']

/** Hexadecimal: programs would take a minus at its beginning for an option. */
export const newPassphrase = (): Passphrase => ({
  password: randomBytes(PASSWORD_BYTES).toString('hex'),
  salt: randomBytes(SALT_BYTES).toString('hex'),
})

export const createDestination = async (
  scope: Scope,
  asked: Asked,
): Promise<{ row: DestinationRow; passphrase: Passphrase | null }> => {
  const access = checkAccess(asked.provider, asked.config, asked.secrets)
  const now = scope.now()
  const id = newId(now)
  const passphrase = asked.encryption ? newPassphrase() : null
  const row: DestinationRow = {
    id,
    name: asked.name,
    provider: asked.provider,
    config: JSON.stringify(access.config),
    ...sealSecrets(scope.secrets, id, access),
    enabled: Number(asked.enabled),
    copy_types: JSON.stringify([...new Set(asked.copyTypes)]),
    retention_count: asked.retentionCount,
    retention_days: asked.retentionDays,
    retention_daily: asked.retentionDaily,
    retention_weekly: asked.retentionWeekly,
    retention_monthly: asked.retentionMonthly,
    sealed_passphrase: passphrase === null ? null : sealPassphrase(scope.secrets, id, passphrase),
    backfill: Number(asked.backfill),
    deleting: 0,
    created_at: now,
  }
  await insertDestination(scope.db, row)
  return { row, passphrase }
}
