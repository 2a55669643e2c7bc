import type { OverviewPart } from '#features/panel/index.ts'
import { listServers } from '#features/servers/index.ts'
import { listSites } from '#features/sites/index.ts'
import type { Db } from '#platform/db/database.ts'
import type { Scope } from '#platform/scope.ts'
import { listKeys } from './dkim/key-store.ts'
import { listChecks } from './domains/domain-store.ts'
import { countBySite } from './messages/message-store.ts'
import { listMailServers } from './server-store.ts'
import { relaySettings } from './settings.ts'

const DAY_MS = 86_400_000
/** Fewer are usual: someone mistyped an address. */
const MANY_BOUNCES = 10
const BOUNCED_SHARE = 0.1
const LONG_QUEUE = 100
/** Below that, twice as many is nothing. */
const GROWN_QUEUE = 20

type Attention = OverviewPart['attention'][number]

/** Mail that does not arrive. */
export const mailOverview = async (scope: Scope): Promise<OverviewPart> => ({
  counts: {},
  attention: [
    ...(await bouncing(scope)),
    ...(await longQueues(scope)),
    ...(await brokenKeys(scope)),
    ...(await missingReverseDns(scope)),
  ],
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

const longQueues = async ({ db }: Scope): Promise<Attention[]> =>
  (await withNames(db)).flatMap(({ server_id: id, name, queued, queued_earlier: earlier }) => {
    if (queued === null) return []
    const isGrowing = queued >= GROWN_QUEUE && earlier !== null && queued >= earlier * 2
    if (queued < LONG_QUEUE && !isGrowing) return []
    return {
      id: `mail-queue:${id}`,
      severity: 'warning' as const,
      title: isGrowing ? `The mail queue of ${name} grows` : `${queued} messages wait on ${name}`,
      detail: `${isGrowing ? `${queued} messages wait, ${earlier} did an hour ago. ` : ''}Check the reasons in the queue, then try again or drop them.`,
      action: { label: 'View queue', to: `/mail/queue?serverId=${id}` },
    }
  })

/** Only of servers that have sites and deliver their mail themselves. */
const missingReverseDns = async ({ db, settings }: Scope): Promise<Attention[]> => {
  if ((await settings.read(relaySettings)).smarthost !== '') return []
  const used = new Set((await listSites(db)).map(({ server_id }) => server_id))
  return (await withNames(db)).flatMap(({ server_id: id, name, reverse_dns: verdict }) => {
    if ((verdict !== 'missing' && verdict !== 'wrong') || !used.has(id)) return []
    return {
      id: `mail-reverse-dns:${id}`,
      severity: 'warning' as const,
      title: `Reverse DNS of ${name} is ${verdict}`,
      detail: 'Other mail servers may refuse its mail. Set it to the name of the relay at your hosting provider.',
      action: { label: 'View setup', to: '/mail/setup' },
    }
  })
}

const withNames = async (db: Db) => {
  const names = new Map((await listServers(db)).map(({ id, name }) => [id, name]))
  return (await listMailServers(db)).flatMap(row => {
    const name = names.get(row.server_id)
    return name === undefined ? [] : { ...row, name }
  })
}

/** Only those that were right once, or were to be: a domain without a key was never set up. */
const brokenKeys = async ({ db }: Scope): Promise<Attention[]> => {
  const checks = await listChecks(db)
  return [...Map.groupBy(await listKeys(db), ({ domain }) => domain)].flatMap(([domain, keys]) => {
    const verdict = checks.get(domain)?.dkim
    const states = keys.map(({ state }) => state)
    // While a next key waits for its record, that record is what was checked.
    if ((verdict !== 'missing' && verdict !== 'wrong') || !states.includes('active') || states.includes('next'))
      return []
    return {
      id: `mail-dkim:${domain}`,
      severity: 'warning' as const,
      title: `DKIM of ${domain} does not work`,
      detail: 'Its record in DNS is missing or has another key. Publish it again.',
      action: { label: 'View domain', to: `/mail/domains?domain=${domain}` },
    }
  })
}
