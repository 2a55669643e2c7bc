import type { OverviewPart } from '#features/panel/index.ts'
import { listServers, type ServerRow } from '#features/servers/index.ts'
import { listSites } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { countBlocks } from './block-store.ts'
import { type DecisionRow, listDecisionsSince } from './detection/decision-store.ts'
import { type LoadRow, listLoads } from './load/load-store.ts'

type Attention = OverviewPart['attention'][number]

const UNDER_WAY_MINUTES = 15
/** A few strangers are blocked all the time; so many at once are an attack that a person wants to know of. */
const MANY_BLOCKED = 5
const MOST_NAMED = 2
const PAGE = '/security'

/** What Home says: servers that don't enforce blocks, and attacks under way. */
export const blockOverview = async (scope: Scope): Promise<OverviewPart> => {
  const { db, now } = scope
  const [servers, loads, sites] = await Promise.all([listServers(db), listLoads(db), listSites(db)])
  const titles = new Map(sites.map(({ slug, title }) => [slug, title]))
  const decisions = await listDecisionsSince(db, now() - UNDER_WAY_MINUTES * 60_000)
  const blockedAddresses = await countBlocks(db, { state: 'active' }, now())
  return {
    counts: { blockedAddresses },
    attention: [
      ...servers.flatMap(server => withoutFirewall(server, loads.get(server.id))),
      ...underWay(decisions, titles),
    ],
  }
}

const withoutFirewall = ({ id, name, provisioned_at }: ServerRow, load: LoadRow | undefined): Attention[] =>
  provisioned_at === null || load === undefined || load.state === 'network'
    ? []
    : [
        {
          id: `server-firewall:${id}`,
          severity: load.state === 'off' ? 'critical' : 'warning',
          title: load.state === 'off' ? `${name} doesn't block addresses` : `${name} blocks by its edge only`,
          detail: load.problem ?? 'Its firewall could not be loaded.',
          action: { label: 'View firewall', to: `${PAGE}/firewall` },
        },
      ]

const underWay = (decisions: readonly DecisionRow[], titles: ReadonlyMap<string, string>): Attention[] => {
  const action = { label: 'View detection', to: `${PAGE}/detection` }
  const within = `within the last ${UNDER_WAY_MINUTES} minutes`
  const attackBy = (outcome: DecisionRow['outcome']) => {
    const all = decisions.filter(row => row.outcome === outcome)
    const attackers = new Set(all.map(({ address }) => address)).size
    return { attackers, who: `${attackers} ${attackers === 1 ? 'attacker' : 'attackers'}`, title: titleOf(all, titles) }
  }
  const [watched, blocked] = [attackBy('watched'), attackBy('blocked')]
  const found: Attention[] = []
  if (watched.attackers > 0) {
    const detail = `Detection found ${watched.who} ${within} and only watches. Switch it to block to stop them.`
    found.push({ id: 'attacks-under-way', severity: 'warning', title: watched.title, detail, action })
  }
  if (blocked.attackers >= MANY_BLOCKED) {
    const detail = `Detection blocked ${blocked.who} on every server ${within}.`
    found.push({ id: 'attacks-blocked', severity: 'info', title: blocked.title, detail, action })
  }
  return found
}

const titleOf = (decisions: readonly DecisionRow[], titles: ReadonlyMap<string, string>): string => {
  const slugs = new Set(decisions.flatMap(({ sites }) => JSON.parse(sites) as string[]))
  const names = [...slugs].flatMap(slug => titles.get(slug) ?? [])
  const others = names.length - MOST_NAMED
  const more = others > 0 ? [`${others} other ${others === 1 ? 'site' : 'sites'}`] : []
  const named = new Intl.ListFormat('en').format([...names.slice(0, MOST_NAMED), ...more])
  return named === '' ? 'An attack is under way' : `An attack on ${named} is under way`
}
