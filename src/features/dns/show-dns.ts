import { findCertificate } from '#features/certificates/index.ts'
import { listServers } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { DnsState } from './contract.ts'
import { listWildcards } from './dns-store.ts'
import { readToken } from './token.ts'
import { wildcardOf } from './wildcard.ts'

/** Without the token itself: it is in no response. */
export const showDns = async (scope: Pick<Scope, 'db' | 'secrets' | 'installation'>): Promise<DnsState> => {
  const { db, installation } = scope
  const token = await readToken(scope)
  const on = new Set((await listWildcards(db)).map(row => row.server_id))
  const servers = await Promise.all(
    (await listServers(db)).map(async ({ id, name, dev_domain: devDomain }) => {
      const row = await findCertificate(db, id, JSON.stringify([wildcardOf(devDomain)]))
      const certificate = row && { status: row.status, expiresAt: row.not_after, problem: row.problem }
      return { id, name, devDomain, wildcard: on.has(id), certificate: certificate ?? null }
    }),
  )
  return {
    provider: token?.provider ?? null,
    token: {
      configured: token !== undefined,
      setAt: token?.setAt ?? null,
      envDiffers: installation.dnsToken !== undefined && installation.dnsToken.reveal() !== token?.text.reveal(),
    },
    wildcardServerId: servers.find(({ wildcard }) => wildcard)?.id ?? null,
    servers,
  }
}
