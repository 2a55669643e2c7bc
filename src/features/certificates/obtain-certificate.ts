import { pause } from '#drivers/acme/pause.ts'
import { newId } from '#platform/db/id.ts'
import { findWait } from './account.ts'
import { attemptCertificate } from './attempt-certificate.ts'
import { type CertificateRow, deleteCertificate, findCertificate, insertCertificate } from './certificate-store.ts'
import type { CertificateScope, Issuance } from './issuance.ts'
import { certificateNames } from './names.ts'
import { unpushCertificate } from './push-certificate.ts'

const isMissing = (now: number) => (row: CertificateRow) => row.not_after === null || row.not_after <= now

/**
 * The certificate for exactly these names, at its place on the server. One that is valid is kept; renewing it early is
 * housekeeping's. May run again after it was cut off anywhere.
 */
export const obtainCertificate = async (
  scope: CertificateScope,
  issuance: Issuance,
  names: readonly string[],
): Promise<CertificateRow> => {
  const row = await ensureRow(scope, issuance.serverId, JSON.stringify(certificateNames(names)))
  const isWanted = isMissing(scope.now())
  if (isWanted(row)) await awaitTurn(scope, issuance)
  return attemptCertificate(scope, issuance, row.id, isWanted)
}

/** The renewer gets it when no one else does before. */
export const wantCertificate = async (
  scope: Pick<CertificateScope, 'db' | 'now'>,
  serverId: number,
  names: readonly string[],
): Promise<void> => {
  await ensureRow(scope, serverId, JSON.stringify(certificateNames(names)))
}

/** Takes the certificate away from the server and forgets it; harmless when there is none. */
export const removeCertificate = async (
  scope: CertificateScope,
  { serverId, rootDir }: Pick<Issuance, 'serverId' | 'rootDir'>,
  names: readonly string[],
): Promise<void> => {
  const row = await findCertificate(scope.db, serverId, JSON.stringify(certificateNames(names)))
  if (!row) return
  await unpushCertificate(scope.hosts.get(serverId), rootDir, row.id)
  await deleteCertificate(scope.db, row.id)
}

const ensureRow = async (
  scope: Pick<CertificateScope, 'db' | 'now'>,
  serverId: number,
  names: string,
): Promise<CertificateRow> => {
  const known = await findCertificate(scope.db, serverId, names)
  if (known) return known
  const row = newCertificateRow(serverId, names, scope.now())
  await insertCertificate(scope.db, row)
  return (await findCertificate(scope.db, serverId, names)) ?? row
}

const awaitTurn = async (scope: CertificateScope, issuance: Issuance): Promise<void> => {
  for (;;) {
    const waitUntil = await findWait(scope, issuance)
    if (waitUntil === undefined) return
    await pause(waitUntil - scope.now(), issuance.signal)
  }
}

export const newCertificateRow = (serverId: number, names: string, now: number): CertificateRow => ({
  id: newId(now),
  server_id: serverId,
  names,
  status: 'pending',
  sealed_key: null,
  chain_pem: null,
  not_before: null,
  not_after: null,
  renew_at: null,
  renewal_window: null,
  renewal_check_at: null,
  serial: null,
  issuer: null,
  pushed_serial: null,
  order_url: null,
  order_sealed_key: null,
  problem: null,
  attempts: 0,
  next_attempt_at: null,
  created_at: now,
  updated_at: now,
})
