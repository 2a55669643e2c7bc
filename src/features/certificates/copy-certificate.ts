import { newId } from '#platform/db/id.ts'
import type { Secret } from '#platform/host/secret.ts'
import { keyPurpose, toPush } from './attempt-certificate.ts'
import {
  type CertificateRow,
  changeCertificate,
  findCertificate,
  getCertificate,
  insertCertificate,
} from './certificate-store.ts'
import type { CertificateScope, Issuance } from './issuance.ts'
import { pushCertificate } from './push-certificate.ts'

/**
 * The same certificate at another server, which cannot get one of its own before the names point there; it is renewed
 * there as any other. Harmless when that server has one for the names already.
 */
export const copyCertificate = async (
  scope: CertificateScope,
  row: CertificateRow,
  { serverId, rootDir }: Pick<Issuance, 'serverId' | 'rootDir'>,
): Promise<void> => {
  const issued = toPush(scope, row)
  if (!issued) return
  const { id } =
    (await findCertificate(scope.db, serverId, row.names)) ?? (await insertCopy(scope, row, serverId, issued.key))
  const pushed = await pushCertificate(scope.hosts.get(serverId), rootDir, async () =>
    toPush(scope, await getCertificate(scope.db, id)),
  )
  if (pushed) await changeCertificate(scope.db, id, { pushed_serial: pushed.serial })
}

const insertCopy = async (scope: CertificateScope, row: CertificateRow, serverId: number, key: Secret) => {
  const now = scope.now()
  const id = newId(now)
  const copy: CertificateRow = {
    ...row,
    id,
    server_id: serverId,
    sealed_key: scope.secrets.seal(keyPurpose(id), key.reveal()),
    pushed_serial: null,
    order_url: null,
    order_sealed_key: null,
    created_at: now,
    updated_at: now,
  }
  await insertCertificate(scope.db, copy)
  return copy
}
