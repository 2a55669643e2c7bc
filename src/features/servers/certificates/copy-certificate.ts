import { newId } from '#platform/db/id.ts'
import { Secret } from '#platform/host/secret.ts'
import { keyPurpose } from './attempt-certificate.ts'
import { type CertificateRow, changeCertificate, findCertificate, insertCertificate } from './certificate-store.ts'
import type { CertificateScope, Issuance } from './issuance.ts'
import { pushCertificate } from './push-certificate.ts'

/**
 * The same certificate at another server, which cannot get one of its own before the names lead there; it is renewed
 * there as any other. Harmless when that server has one for the names already.
 */
export const copyCertificate = async (
  scope: CertificateScope,
  row: CertificateRow,
  { serverId, rootDir }: Pick<Issuance, 'serverId' | 'rootDir'>,
): Promise<void> => {
  const { serial, chain_pem: chainPem, sealed_key: sealedKey } = row
  if (serial === null || chainPem === null || sealedKey === null) return
  const key = scope.secrets.open(keyPurpose(row.id), sealedKey)
  const copy = (await findCertificate(scope.db, serverId, row.names)) ?? (await insertCopy(scope, row, serverId, key))
  if (copy.serial !== serial) return
  await pushCertificate(scope.hosts.get(serverId), rootDir, { id: copy.id, serial, chainPem, key: new Secret(key) })
  await changeCertificate(scope.db, copy.id, { pushed_serial: serial })
}

const insertCopy = async (scope: CertificateScope, row: CertificateRow, serverId: number, key: string) => {
  const now = scope.now()
  const id = newId(now)
  const copy: CertificateRow = {
    ...row,
    id,
    server_id: serverId,
    sealed_key: scope.secrets.seal(keyPurpose(id), key),
    pushed_serial: null,
    order_url: null,
    order_sealed_key: null,
    created_at: now,
    updated_at: now,
  }
  await insertCertificate(scope.db, copy)
  return copy
}
