import type { OverviewPart } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'
import { countBlocks } from './block-store.ts'
import type { Firewall } from './contract.ts'
import { countDecisions } from './detection/decision-store.ts'
import { firewallOverview } from './load/firewall-overview.ts'

type Attention = OverviewPart['attention'][number]

const UNDER_WAY_MS = 15 * 60_000
const PAGE = '/blocks'

/** What Home says: servers that don't enforce blocks, and attacks under way that no one stops. */
export const blockOverview = async (scope: Scope): Promise<OverviewPart> => {
  const { items } = await firewallOverview(scope)
  const attacks = await countDecisions(scope.db, 'watched', scope.now() - UNDER_WAY_MS)
  const blockedAddresses = await countBlocks(scope.db, { state: 'active' }, scope.now())
  return { counts: { blockedAddresses }, attention: [...items.flatMap(withoutFirewall), ...underWay(attacks)] }
}

const withoutFirewall = ({ serverId, serverName, state, problem }: Firewall): Attention[] =>
  state !== 'off' && state !== 'http_only'
    ? []
    : [
        {
          id: `server-firewall:${serverId}`,
          severity: state === 'off' ? 'critical' : 'warning',
          title: state === 'off' ? `${serverName} doesn't block addresses` : `${serverName} blocks by its edge only`,
          detail: problem ?? 'Its firewall could not be loaded.',
          action: { label: 'See firewall', to: `${PAGE}/firewall` },
        },
      ]

const underWay = (attacks: number): Attention[] =>
  attacks === 0
    ? []
    : [
        {
          id: 'attacks-under-way',
          severity: 'warning',
          title: attacks === 1 ? 'An attack is under way' : `${attacks} attacks are under way`,
          detail: 'Detection only watches. Switch it to block to stop them.',
          action: { label: 'See detection', to: `${PAGE}/detection` },
        },
      ]
