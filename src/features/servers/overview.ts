import type { OverviewPart } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'
import { listServers, type ServerRow } from './server-store.ts'

/** What Home says about servers: how many there are, and those that could not be set up. */
export const serverOverview = async (scope: Scope): Promise<OverviewPart> => {
  const rows = await listServers(scope.db)
  return {
    counts: { servers: rows.length, 'servers.ready': rows.filter(row => row.status === 'ready').length },
    attention: rows.filter(row => row.status === 'failed').map(notSetUp),
  }
}

const notSetUp = ({ id, name, problem }: ServerRow): OverviewPart['attention'][number] => ({
  id: `server-failed:${id}`,
  severity: 'warning',
  title: `${name} is not set up`,
  detail: problem ?? '',
  action: { label: 'Set up again', to: `/servers/${id}/settings?ask=set-up` },
})
