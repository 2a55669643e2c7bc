import { needsCertificate } from '#features/certificates/index.ts'
import { getServer } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { withDns } from '../domains/ask-dns.ts'
import { changeMailServer, findMailServer } from '../server-store.ts'
import { relaySettings } from '../settings.ts'
import { hostnameOf } from './hostname.ts'
import { checkReverseDns } from './reverse-dns.ts'

const HOUR_MS = 3_600_000
/** What is wrong is looked up more often, so that it soon counts once it is right. */
const AGAIN_MS = { ok: 6 * HOUR_MS, missing: HOUR_MS / 6, wrong: HOUR_MS / 6, unknown: HOUR_MS }

/** For Home. It matters only to servers that deliver themselves, under a name that others can look up. */
export const noteReverseDns = async (scope: Scope, serverId: number): Promise<void> => {
  const server = await getServer(scope.db, serverId)
  const known = await findMailServer(scope.db, serverId)
  const { hostname } = hostnameOf(server, known.hostname)
  const isDue = scope.now() - (known.reverse_checked_at ?? 0) >= AGAIN_MS[known.reverse_dns ?? 'unknown']
  if (!isDue || server.public_ip === null || !needsCertificate(hostname)) return
  if ((await scope.settings.read(relaySettings)).smarthost !== '') return
  const { verdict } = await withDns(scope.installation.dnsServers, dns =>
    checkReverseDns(dns, hostname, server.public_ip),
  )
  await changeMailServer(scope.db, serverId, { reverse_dns: verdict, reverse_checked_at: scope.now() })
}
