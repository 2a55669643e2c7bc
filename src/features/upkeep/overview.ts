import type { OverviewPart } from '#features/panel/index.ts'
import { listServers, type ServerRow } from '#features/servers/index.ts'
import type { Scope } from '#platform/scope.ts'
import { type Upkeep, upkeepOf } from './latest.ts'
import { listWaitingOn } from './waiting-jobs.ts'

type Attention = OverviewPart['attention'][number]
type Drifted = Upkeep['drifted'][number]

/** What Home says about leftovers, and about servers that could not be brought to what they should be. */
export const upkeepOverview = async (scope: Scope): Promise<OverviewPart> => {
  const rows = await listServers(scope.db)
  return { counts: {}, attention: (await Promise.all(rows.map(row => attentionOf(scope, row)))).flat() }
}

const attentionOf = async (scope: Scope, server: ServerRow): Promise<Attention[]> => {
  const { leftovers, edgeProblem, drifted } = upkeepOf(scope, server.id)
  const waiting = await listWaitingOn(scope, server.id)
  return [
    ...owed(server, waiting.length),
    ...found(server, leftovers.length),
    ...(edgeProblem === null ? [] : [untrue(server, edgeProblem)]),
    ...drifted.filter(({ status }) => status === 'stopped').map(runsAnyway),
  ]
}

const counted = (count: number, name: string) => `${count} ${count === 1 ? 'leftover' : 'leftovers'} on ${name}`

const owed = ({ id, name }: ServerRow, count: number): Attention[] =>
  count === 0
    ? []
    : [
        {
          id: `server-owed:${id}`,
          severity: 'warning',
          title: `${counted(count, name)}, cleaned up when it is back`,
          detail: 'Jobs could not finish or undo what they did there. They try again by themselves.',
          action: { label: 'See leftovers', to: `/servers/${id}/leftovers` },
        },
      ]

const found = ({ id, name }: ServerRow, count: number): Attention[] =>
  count === 0
    ? []
    : [
        {
          id: `server-leftovers:${id}`,
          severity: 'warning',
          title: counted(count, name),
          detail: 'They belong to no site of this panel. Remove them if they are not needed.',
          action: { label: 'See leftovers', to: `/servers/${id}/leftovers` },
        },
      ]

/** One that should run and does not is named by the sites themselves. */
const runsAnyway = ({ slug, title }: Drifted): Attention => ({
  id: `site-not-stopped:${slug}`,
  severity: 'warning',
  title: `${title} is still running`,
  detail: 'It should be stopped. Reconcile it to stop its container.',
  action: { label: 'Reconcile', to: `/sites/${slug}/settings?ask=reconcile` },
})

const untrue = ({ id, name }: ServerRow, problem: string): Attention => ({
  id: `server-edge:${id}`,
  severity: 'critical',
  title: `Visitors of ${name} may get outdated answers`,
  detail: problem,
  action: { label: 'Set it up again', to: `/servers/${id}/settings?ask=set-up` },
})
