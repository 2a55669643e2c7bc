import { toPush } from './attempt-certificate.ts'
import { changeCertificate, getCertificate, listCertificates } from './certificate-store.ts'
import type { CertificateScope, Issuance } from './issuance.ts'
import { pushCertificate } from './push-certificate.ts'

/**
 * Every certificate that a server has is in its place there; how many were not, such as on a machine that was installed
 * again. What serves visitors refuses to start without them.
 */
export const pushIssued = async (
  scope: CertificateScope,
  { serverId, rootDir }: Pick<Issuance, 'serverId' | 'rootDir'>,
): Promise<number> => {
  let count = 0
  for (const { id, serial } of await listCertificates(scope.db, serverId)) {
    if (serial === null) continue
    const pushed = await pushCertificate(scope.hosts.get(serverId), rootDir, async () =>
      toPush(scope, await getCertificate(scope.db, id)),
    )
    if (!pushed?.isNew) continue
    await changeCertificate(scope.db, id, { pushed_serial: pushed.serial })
    count += 1
  }
  return count
}
