import { acmeOf, findWait, keptAccount } from './account.ts'
import { attemptCertificate, windowText } from './attempt-certificate.ts'
import { type CertificateRow, changeCertificate, dueCertificates, uncheckedCertificates } from './certificate-store.ts'
import { removeStaleChallenges } from './challenge-files.ts'
import type { CertificateScope, Issuance } from './issuance.ts'
import { renewAt } from './renewal.ts'

const CHECKS_AT_ONCE = 20
const CHECK_AFTER_MS = 6 * 3_600_000

export interface Renewing {
  signal: AbortSignal
  /** Undefined for a server that takes no certificates, such as one without an email address. */
  issuanceFor(serverId: number): Promise<Omit<Issuance, 'signal'> | undefined>
}

export interface Renewed {
  renewed: number
  failed: number
}

/**
 * Renews what is due and delivers what could not be delivered, at most ten a minute for each server; the rest waits for
 * the next call. Servers go side by side, and one that fails does not stop the others.
 */
export const renewDue = async (scope: CertificateScope, { signal, issuanceFor }: Renewing): Promise<Renewed> => {
  const now = scope.now()
  const due = Map.groupBy(await dueCertificates(scope.db, now), row => row.server_id)
  const unchecked = Map.groupBy(await uncheckedCertificates(scope.db, now, CHECKS_AT_ONCE), row => row.server_id)
  const onServer = async (serverId: number): Promise<Renewed> => {
    const given = await issuanceFor(serverId)
    if (!given) return { renewed: 0, failed: 0 }
    const issuance = { ...given, signal }
    await checkWindows(scope, issuance, unchecked.get(serverId) ?? [])
    return renewOnServer(scope, issuance, due.get(serverId) ?? [])
  }
  const servers = [...new Set([...due.keys(), ...unchecked.keys()])]
  const results = await Promise.all(servers.map(onServer))
  return {
    renewed: results.reduce((sum, result) => sum + result.renewed, 0),
    failed: results.reduce((sum, result) => sum + result.failed, 0),
  }
}

const renewOnServer = async (scope: CertificateScope, issuance: Issuance, rows: CertificateRow[]): Promise<Renewed> => {
  const counts = { renewed: 0, failed: 0 }
  const isWanted = (row: CertificateRow) => row.renew_at === null || row.renew_at <= scope.now()
  for (const row of rows) {
    issuance.signal.throwIfAborted()
    if (isWanted(row) && (await findWait(scope, issuance)) !== undefined) break
    try {
      await attemptCertificate(scope, issuance, row.id, isWanted)
      counts.renewed += 1
    } catch (error) {
      issuance.signal.throwIfAborted()
      counts.failed += 1
      scope.log.warn({ err: error, names: row.names, serverId: row.server_id }, 'could not renew a certificate')
    }
  }
  await removeStaleChallenges(scope.hosts.get(issuance.serverId), issuance.rootDir, scope.now()).catch(
    (error: unknown) => scope.log.warn({ err: error }, 'could not remove stale challenge files'),
  )
  return counts
}

/** Asks the authority whether it has changed its mind: it moves the window when it has to take a certificate back. */
const checkWindows = async (scope: CertificateScope, issuance: Issuance, rows: CertificateRow[]): Promise<void> => {
  if (rows.length === 0) return
  const acme = acmeOf(scope, issuance, await keptAccount(scope, issuance))
  for (const row of rows) {
    const { id, chain_pem, not_before, not_after, renewal_window } = row
    if (chain_pem === null || not_before === null || not_after === null) continue
    try {
      const info = await acme.renewalInfo(chain_pem)
      const isNew = info !== undefined && windowText(info) !== renewal_window
      await changeCertificate(scope.db, id, {
        renewal_check_at: info?.checkAt ?? scope.now() + CHECK_AFTER_MS,
        ...(isNew
          ? {
              renewal_window: windowText(info),
              renew_at: renewAt({ notBefore: not_before, notAfter: not_after }, info),
            }
          : {}),
      })
    } catch (error) {
      issuance.signal.throwIfAborted()
      await changeCertificate(scope.db, id, { renewal_check_at: scope.now() + CHECK_AFTER_MS })
      scope.log.warn({ err: error, names: row.names }, 'the certificate authority does not say when to renew')
    }
  }
}
