import { X509Certificate } from 'node:crypto'
import type { Acme } from '#drivers/acme/acme.ts'
import { AcmeFailed, AcmeRateLimited } from '#drivers/acme/errors.ts'
import type { NameChallenge } from '#drivers/acme/order.ts'
import type { RenewalInfo } from '#drivers/acme/renewal-info.ts'
import { newPrivateKey } from '#drivers/acme/signing.ts'
import { Problem } from '#platform/contract/problem.ts'
import { Secret } from '#platform/host/secret.ts'
import { describeFailure } from '#platform/jobs/failure.ts'
import { openAccount } from './account.ts'
import { type CertificateRow, changeCertificate, getCertificate, keepOrder } from './certificate-store.ts'
import { challengeFiles } from './challenge-files.ts'
import type { CertificateScope, Issuance } from './issuance.ts'
import { isWildcard } from './names.ts'
import { type Certificate, pushCertificate } from './push-certificate.ts'
import { nextAttempt, renewAt } from './renewal.ts'

const ATTEMPT_MS = 5 * 60_000
const CHECK_AFTER_MS = 6 * 3_600_000
const NO_ORDER = { order_url: null, order_sealed_key: null }

export const keyPurpose = (certificateId: string): string => `certificate:${certificateId}`

/**
 * Continues wherever an earlier attempt stopped, and ends with the certificate loaded by the server's edge. What is in
 * place stays until then. A failure is kept in the row with the time of the next attempt.
 */
export const attemptCertificate = async (
  scope: CertificateScope,
  issuance: Issuance,
  id: string,
  isWanted: (row: CertificateRow) => boolean,
): Promise<CertificateRow> => {
  const limited = { ...issuance, signal: AbortSignal.any([issuance.signal, AbortSignal.timeout(ATTEMPT_MS)]) }
  try {
    // Read again: it may have been renewed since it was found to be due.
    const row = await getCertificate(scope.db, id)
    if (isWanted(row)) await issue(scope, limited, row)
    await deliver(scope, limited, await getCertificate(scope.db, id))
    return await getCertificate(scope.db, id)
  } catch (error) {
    // Anyone who stopped it did not mean that it failed.
    if (!issuance.signal.aborted) await keepFailure(scope, id, error)
    throw error
  }
}

const issue = async (scope: CertificateScope, issuance: Issuance, row: CertificateRow): Promise<void> => {
  const acme = await openAccount(scope, issuance)
  const issued = await completeOrder(scope, issuance, acme, row)
  await keepIssued(scope, row.id, issued, await findWindow(scope, acme, issued.chainPem))
}

/** The key is that of the order: the row may have the key of a newer one by now. */
interface Issued {
  readonly chainPem: string
  readonly sealedKey: string
}

/** An order from before may have expired or be forgotten; one that was just placed is the last word. */
const completeOrder = async (
  scope: CertificateScope,
  issuance: Issuance,
  acme: Acme,
  row: CertificateRow,
): Promise<Issued> => {
  if (row.order_url !== null) {
    try {
      return await completeKeptOrder(scope, issuance, acme, row.id)
    } catch (error) {
      if (!(error instanceof AcmeFailed)) throw error
      await changeCertificate(scope.db, row.id, NO_ORDER)
    }
  }
  const order_url = await acme.placeOrder(JSON.parse(row.names) as string[], row.chain_pem ?? undefined)
  const order_sealed_key = scope.secrets.seal(keyPurpose(row.id), newPrivateKey().reveal())
  await keepOrder(scope.db, row.id, { order_url, order_sealed_key })
  return completeKeptOrder(scope, issuance, acme, row.id)
}

const completeKeptOrder = async (
  scope: CertificateScope,
  issuance: Issuance,
  acme: Acme,
  id: string,
): Promise<Issued> => {
  const { names, order_url, order_sealed_key } = await getCertificate(scope.db, id)
  if (order_url === null || order_sealed_key === null) {
    throw new Problem('conflict', 'Another attempt for the same domains has just ended. Try again.')
  }
  const wanted = JSON.parse(names) as string[]
  const chainPem = await acme.completeOrder(order_url, {
    names: wanted,
    key: new Secret(scope.secrets.open(keyPurpose(id), order_sealed_key)),
    challenge: await challengeFor(scope, issuance, wanted),
  })
  return { chainPem, sealedKey: order_sealed_key }
}

/** A wildcard is no name that a web server could answer under. */
const challengeFor = async (
  scope: CertificateScope,
  issuance: Issuance,
  names: readonly string[],
): Promise<NameChallenge> => {
  const { serverId, rootDir, signal } = issuance
  if (!names.some(isWildcard)) return challengeFiles(scope.hosts.get(serverId), rootDir, scope.log)
  const challenge = await issuance.dnsChallenge?.(signal)
  if (!challenge) throw new Problem('conflict', 'A wildcard certificate needs a DNS token.')
  return challenge
}

/** The suggestion of the authority is welcome, but no certificate waits for it. */
const findWindow = (scope: CertificateScope, acme: Acme, chainPem: string): Promise<RenewalInfo | undefined> =>
  acme.renewalInfo(chainPem).catch((error: unknown) => {
    scope.log.warn({ err: error }, 'the certificate authority does not say when to renew')
    return undefined
  })

const keepIssued = async (
  scope: CertificateScope,
  id: string,
  { chainPem, sealedKey }: Issued,
  info: RenewalInfo | undefined,
): Promise<void> => {
  const leaf = new X509Certificate(chainPem)
  const lifetime = { notBefore: leaf.validFromDate.getTime(), notAfter: leaf.validToDate.getTime() }
  await changeCertificate(scope.db, id, {
    ...NO_ORDER,
    status: 'valid',
    sealed_key: sealedKey,
    chain_pem: chainPem,
    not_before: lifetime.notBefore,
    not_after: lifetime.notAfter,
    renew_at: renewAt(lifetime, info),
    renewal_window: info ? windowText(info) : null,
    renewal_check_at: info?.checkAt ?? scope.now() + CHECK_AFTER_MS,
    serial: leaf.serialNumber,
    issuer: leaf.issuer.replaceAll('\n', ', '),
    updated_at: scope.now(),
  })
}

export const windowText = ({ startAt, endAt }: RenewalInfo): string => `${startAt}-${endAt}`

const deliver = async (scope: CertificateScope, issuance: Issuance, row: CertificateRow): Promise<void> => {
  const { id, server_id: serverId, pushed_serial: before } = row
  const pushed = await pushCertificate(scope.hosts.get(serverId), issuance.rootDir, async () =>
    toPush(scope, await getCertificate(scope.db, id)),
  )
  if (!pushed) return
  if (pushed.isNew || before !== pushed.serial) await issuance.reload()
  await changeCertificate(scope.db, id, {
    pushed_serial: pushed.serial,
    problem: null,
    attempts: 0,
    next_attempt_at: null,
    updated_at: scope.now(),
  })
}

/** Undefined while nothing has been issued. */
export const toPush = (
  { secrets }: Pick<CertificateScope, 'secrets'>,
  row: CertificateRow,
): Certificate | undefined => {
  const { id, serial, chain_pem: chainPem, sealed_key: sealedKey } = row
  if (serial === null || chainPem === null || sealedKey === null) return undefined
  return { id, serial, chainPem, key: new Secret(secrets.open(keyPurpose(id), sealedKey)) }
}

const keepFailure = async (scope: CertificateScope, id: string, error: unknown): Promise<void> => {
  const { attempts, not_after, chain_pem } = await getCertificate(scope.db, id)
  const now = scope.now()
  const retryAt = error instanceof AcmeRateLimited ? error.retryAt : now
  await changeCertificate(scope.db, id, {
    ...(error instanceof AcmeFailed ? NO_ORDER : {}),
    status: chain_pem === null ? 'failed' : 'valid',
    problem: describeFailure(error).message,
    attempts: attempts + 1,
    next_attempt_at: Math.max(retryAt, nextAttempt(attempts + 1, now, not_after)),
    updated_at: now,
  })
}
