import type { SiteRow } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import { ingest } from './ingest.ts'
import { listMessages } from './message-store.ts'

/** The log says whole seconds, and the clocks of two machines differ a little. */
const SLACK_MS = 5_000

/** Why the relay refused what a site has just sent. */
export const findRefusal = async (
  scope: Scope,
  { site, since }: { site: SiteRow; since: number },
): Promise<string | undefined> => {
  await ingest(scope, { serverId: site.server_id })
  const filter = { siteSlug: site.slug, status: 'refused', since: since - SLACK_MS } as const
  const [newest] = await listMessages(scope.db, filter, { limit: 1, offset: 0 })
  return newest?.reason
}
