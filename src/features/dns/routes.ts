import { wantCertificate } from '#features/certificates/index.ts'
import { getServer, listServers } from '#features/servers/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { DnsUnreachable } from '#platform/dns/errors.ts'
import type { Handlers } from '#platform/http/handlers.ts'
import type { Scope } from '#platform/scope.ts'
import { checkToken, failedCheck } from './check-token.ts'
import type { DnsChanged, dns } from './contract.ts'
import { deleteToken, deleteWildcard, insertWildcard } from './dns-store.ts'
import { showDns } from './show-dns.ts'
import { knownToken, readToken, sealToken } from './token.ts'
import { requireReach, wildcardOf } from './wildcard.ts'

const NOT_A_TOKEN =
  'must be a Cloudflare API token, or for a name server: its address, the algorithm, the key name and the key, with spaces between'

/** An outage of the provider is no fault of the panel. */
const throughGateway = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const message = isLate ? 'The DNS provider did not respond in time. Try again later.' : ''
    if (isLate || error instanceof DnsUnreachable)
      throw new Problem('bad_gateway', message || error.message, null, { cause: error })
    throw error
  }
}

const changed = async (scope: Scope, serverIds: readonly number[]): Promise<DnsChanged> => {
  const answers = await scope.events.raise(scope, 'wildcardsChanged', { serverIds })
  return {
    ...(await showDns(scope)),
    rebuilding: answers.flatMap(({ rebuilding }) => rebuilding),
    busy: answers.flatMap(({ busy }) => busy),
  }
}

export const dnsRoutes: Handlers<typeof dns> = {
  dnsGet: (_, scope) => showDns(scope),

  async dnsCheck({ body }, scope) {
    const known = body.token === undefined ? await readToken(scope) : knownToken(body.token)
    if (known) return throughGateway(checkToken(scope, known))
    return failedCheck(body.token === undefined ? 'There is no DNS token.' : `The token ${NOT_A_TOKEN}.`)
  },

  async dnsTokenSet({ body: { token } }, scope) {
    const known = knownToken(token)
    if (!known)
      throw new Problem('validation_error', `The token ${NOT_A_TOKEN}.`, [
        { in: 'body', path: 'token', message: NOT_A_TOKEN },
      ])
    const check = await throughGateway(checkToken(scope, known))
    if (!check.ok) throw new Problem('conflict', `The token was not saved. ${check.error}`, check)
    await sealToken(scope, token, known)
    return { ...(await showDns(scope)), check }
  },

  async dnsTokenDelete(_, scope) {
    if (scope.installation.dnsToken !== undefined)
      throw new Problem(
        'conflict',
        'DNS_TOKEN is in the environment of the panel. Remove it there and restart the panel first.',
      )
    await deleteToken(scope.db)
    return changed(
      scope,
      (await listServers(scope.db)).map(({ id }) => id),
    )
  },

  async dnsWildcardSet({ params: { id }, body: { on } }, scope) {
    const { dev_domain: devDomain } = await getServer(scope.db, id)
    if (on) await throughGateway(requireReach(scope, id))
    await (on ? insertWildcard(scope.db, id, scope.now()) : deleteWildcard(scope.db, id))
    if (on) await wantCertificate(scope, id, [wildcardOf(devDomain)])
    return changed(scope, [id])
  },
}
