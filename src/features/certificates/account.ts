import { type Acme, createAcme } from '#drivers/acme/acme.ts'
import { newPrivateKey } from '#drivers/acme/signing.ts'
import { Secret } from '#platform/host/secret.ts'
import {
  type AcmeAccountRow,
  changeAccount,
  findAccount,
  forgetOrders,
  insertAccount,
  noteAttempt,
} from './certificate-store.ts'
import type { CertificateScope, Issuance } from './issuance.ts'
import { takeAttempt } from './renewal.ts'

const purpose = (serverId: number) => `acme-account:${serverId}`

/** The server's account, opened. Its key is kept before the authority sees it, so no account is ever lost. */
export const openAccount = async (scope: CertificateScope, issuance: Issuance): Promise<Acme> => {
  const { serverId, email } = issuance
  const account = await keptAccount(scope, issuance)
  const acme = acmeOf(scope, issuance, account)
  const url = await acme.openAccount(email)
  if (account.account_url !== url || account.email !== email) {
    await changeAccount(scope.db, serverId, { account_url: url, email })
  }
  return acme
}

/** For questions that need no account of the authority. */
export const acmeOf = (scope: CertificateScope, issuance: Issuance, account: AcmeAccountRow): Acme =>
  createAcme({
    directoryUrl: issuance.directoryUrl,
    accountKey: new Secret(scope.secrets.open(purpose(account.server_id), account.sealed_key)),
    log: scope.log,
    signal: issuance.signal,
    fetch: issuance.fetch,
  })

/** Recreated, key included, when the server moves to another authority. */
export const keptAccount = async (
  scope: CertificateScope,
  { serverId, directoryUrl, email }: Issuance,
): Promise<AcmeAccountRow> => {
  const existing = await findAccount(scope.db, serverId)
  if (existing?.directory_url === directoryUrl) return existing
  const row: AcmeAccountRow = {
    server_id: serverId,
    directory_url: directoryUrl,
    email,
    account_url: null,
    sealed_key: scope.secrets.seal(purpose(serverId), newPrivateKey().reveal()),
    recent_attempts: existing?.recent_attempts ?? '[]',
    created_at: scope.now(),
  }
  if (existing) await forgetOrders(scope.db, serverId)
  await (existing ? changeAccount(scope.db, serverId, row) : insertAccount(scope.db, row))
  return (await findAccount(scope.db, serverId)) ?? row
}

/** Undefined once the attempt is noted, else when there is room for it. */
export const findWait = async (scope: CertificateScope, issuance: Issuance): Promise<number | undefined> => {
  for (;;) {
    const { recent_attempts: before } = await keptAccount(scope, issuance)
    const attempt = takeAttempt(JSON.parse(before) as number[], scope.now())
    if ('waitUntil' in attempt) return attempt.waitUntil
    if (await noteAttempt(scope.db, issuance.serverId, before, JSON.stringify(attempt.recent))) return undefined
  }
}
