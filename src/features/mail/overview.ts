import type { OverviewPart } from '#features/panel/index.ts'
import { listServers } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { listKeys } from './dkim/key-store.ts'
import { listChecks } from './domains/domain-store.ts'
import { countBySite } from './messages/message-store.ts'
import { listMailServers } from './server-store.ts'

const DAY_MS = 86_400_000
/** Fewer are usual: someone mistyped an address. */
const MANY_BOUNCES = 10
const BOUNCED_SHARE = 0.1
const LONG_QUEUE = 100

type Attention = OverviewPart['attention'][number]

/** Mail that does not arrive. */
export const mailOverview = async (scope: Scope): Promise<OverviewPart> => ({
  counts: {},
  attention: [...(await bouncing(scope)), ...(await longQueues(scope)), ...(await brokenKeys(scope))],
})

const bouncing = async ({ db, now }: Scope): Promise<Attention[]> => {
  const rows = (await countBySite(db, now() - DAY_MS)).filter(row => row.site_slug !== null)
  return [...Map.groupBy(rows, row => row.site_slug ?? '')].flatMap(([slug, of]) => {
    const all = of.reduce((sum, { count }) => sum + count, 0)
    const bounced = of.find(({ status }) => status === 'bounced')?.count ?? 0
    if (bounced < MANY_BOUNCES || bounced < all * BOUNCED_SHARE) return []
    return {
      id: `mail-bounces:${slug}`,
      severity: 'warning' as const,
      title: `Mail of ${slug} bounces`,
      detail: `${bounced} of ${all} messages came back in the last day. Others may start to refuse all mail of its server.`,
      action: { label: 'View messages', to: `/mail/messages?siteSlug=${slug}&status=bounced` },
    }
  })
}

const longQueues = async ({ db }: Scope): Promise<Attention[]> => {
  const names = new Map((await listServers(db)).map(({ id, name }) => [id, name]))
  return (await listMailServers(db)).flatMap(({ server_id: id, queued }) => {
    if (queued === null || queued < LONG_QUEUE || !names.has(id)) return []
    return {
      id: `mail-queue:${id}`,
      severity: 'warning' as const,
      title: `${queued} messages wait on ${names.get(id)}`,
      detail: 'Check the reasons in the queue, then try again or drop them.',
      action: { label: 'View queue', to: `/mail/queue?serverId=${id}` },
    }
  })
}

/** Only those that were right once, or were to be: a domain without a key was never set up. */
const brokenKeys = async ({ db }: Scope): Promise<Attention[]> => {
  const checks = await listChecks(db)
  const signed = new Set((await listKeys(db)).filter(({ state }) => state === 'active').map(({ domain }) => domain))
  return [...signed].flatMap(domain => {
    const verdict = checks.get(domain)?.dkim
    if (verdict !== 'missing' && verdict !== 'wrong') return []
    return {
      id: `mail-dkim:${domain}`,
      severity: 'warning' as const,
      title: `DKIM of ${domain} does not work`,
      detail: 'Its record in DNS is missing or has another key. Publish it again.',
      action: { label: 'View domains', to: '/mail/domains' },
    }
  })
}
