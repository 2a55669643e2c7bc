import type { Request } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import type { offsite, Passphrase } from '../contract.ts'
import { countCopies } from '../copies/copy-store.ts'
import { checkAccess, openSecrets, sealPassphrase, sealSecrets } from '../remote/check-access.ts'
import { newPassphrase } from './create-destination.ts'
import { changeDestination, type DestinationRow, getDestination } from './destination-store.ts'

type Asked = Request<(typeof offsite)['destinationUpdate']>['body']
type Part = Partial<DestinationRow>

const present = (part: Part): Part =>
  Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))

const flag = (value: boolean | undefined) => (value === undefined ? undefined : Number(value))

/** What is left out stays as it is. */
export const updateDestination = async (
  scope: Scope,
  id: string,
  asked: Asked,
): Promise<{ before: DestinationRow; row: DestinationRow; passphrase: Passphrase | null }> => {
  const before = await getDestination(scope.db, id)
  if (before.deleting) throw new Problem('conflict', 'Its copies are being deleted. Wait until that is done.')
  const { passphrase, ...encryption } = await encryptionPart(scope, before, asked.encryption)
  await changeDestination(scope.db, id, {
    ...present({
      name: asked.name,
      enabled: flag(asked.enabled),
      backfill: flag(asked.backfill),
      copy_types: asked.copyTypes && JSON.stringify([...new Set(asked.copyTypes)]),
      retention_count: asked.retentionCount,
      retention_days: asked.retentionDays,
      retention_daily: asked.retentionDaily,
      retention_weekly: asked.retentionWeekly,
      retention_monthly: asked.retentionMonthly,
    } as Part),
    ...accessPart(scope, before, asked),
    ...encryption,
  })
  return { before, row: await getDestination(scope.db, id), passphrase }
}

const accessPart = (scope: Scope, row: DestinationRow, { config, secrets }: Asked): Part => {
  if (config === undefined && secrets === undefined) return {}
  const known = { ...openSecrets(scope.secrets, row), ...secrets }
  const left = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
  const access = checkAccess(row.provider, config ?? JSON.parse(row.config), left)
  return { config: JSON.stringify(access.config), ...sealSecrets(scope.secrets, row.id, access) }
}

const encryptionPart = async (
  { db, secrets }: Scope,
  row: DestinationRow,
  encryption: boolean | undefined,
): Promise<{ passphrase: Passphrase | null } & Part> => {
  if (encryption === undefined || encryption === (row.sealed_passphrase !== null)) return { passphrase: null }
  if ((await countCopies(db, { destinationId: row.id })) > 0)
    throw new Problem(
      'conflict',
      'Encryption is fixed once there are copies. Add another destination with a new folder instead.',
    )
  if (!encryption) return { passphrase: null, sealed_passphrase: null }
  const passphrase = newPassphrase()
  return { passphrase, sealed_passphrase: sealPassphrase(secrets, row.id, passphrase) }
}
