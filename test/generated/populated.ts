import { z } from 'zod'
import { systemActor } from '#app/world.ts'
import { insertAdmin, newAdmin } from '#features/admins/index.ts'
import { knownToken, sealToken } from '#features/dns/token.ts'
import { createKey } from '#features/panel/index.ts'
import { saveSnooze } from '#features/panel/snooze-store.ts'
import { insertSite } from '#features/sites/site-store.ts'
import { type AnyJobType, defineJob } from '#platform/jobs/job-type.ts'
import { namedLane } from '#platform/jobs/lane.ts'
import { type TestPanel, type TestPanelOptions, testPanel } from '#test/support/panel.ts'
import { siteRow } from '#test/support/site-row.ts'
import { insertSampleRows } from './sample-rows.ts'

/** Text that would find all of the others, or break the statement, were it read as a pattern or as SQL. */
export const LITERAL_LABELS = [
  '100% done',
  '100x done',
  'a_b',
  'axb',
  'c\\d',
  'cxd',
  "it's",
  'its',
  'say "hi"',
  'say hi',
]

const jobType = (label: string, at: number): AnyJobType =>
  defineJob<Record<string, never>, Record<string, never>, Record<string, never>>({
    type: `test.label${at}`,
    label,
    description: 'Does nothing.',
    category: 'test',
    timeoutMs: 60_000,
    input: z.strictObject({}),
    result: z.strictObject({}),
    target: () => ({ siteSlug: `site-${at}`, serverId: 1 }),
    lanes: () => [namedLane('test')],
    steps: [],
    finish: () => ({}),
  })

export const TEST_JOBS: readonly AnyJobType[] = LITERAL_LABELS.map(jobType)

/** Of a name server that refuses connections. */
const DNS_TOKEN = '127.0.0.1:1 hmac-sha256 panel c2VjcmV0LW9mLXRoZS1uYW1lLXNlcnZlcg=='

/** Fills every table, each label once as a job, a key and a site. */
const populate = async (panel: TestPanel): Promise<void> => {
  const { db } = panel.foundation.database
  const scope = panel.world.scope(systemActor('test'))
  const { jobs } = scope
  await panel.owner()
  for (const type of TEST_JOBS) await jobs.enqueue(type, {})
  for (const [at, name] of LITERAL_LABELS.entries()) {
    const { token } = await createKey(db, { name, access: 'full', createdBy: 'test', now: Date.now() })
    await panel.ask(`/api/nothing-${at}`, { headers: { authorization: `Bearer ${token}` } })
    await insertSite(db, { ...siteRow(`site-${at}`, at), title: name }, [`site-${at}.localhost`])
  }
  const guest = { email: 'guest@example.com', name: 'Gesa Guest', owner: false, passwordHash: null, now: Date.now() }
  const guestRow = newAdmin(guest)
  await insertAdmin(db, guestRow)
  await saveSnooze(db, { admin_id: guestRow.id, attention_id: 'server-disk:1', severity: 'warning', until: 1e14 })
  const token = knownToken(DNS_TOKEN)
  if (token) await sealToken(scope, DNS_TOKEN, token)
  await insertSampleRows(db)
  // A clock that hurries meets one of them within a minute or two.
  await db.updateTable('schedule').set({ enabled: 0 }).execute()
}

/** A panel with something in it: an owner, a guest, keys, jobs that wait, and a history of requests. */
export const populatedPanel = async (options: TestPanelOptions = {}): Promise<TestPanel> => {
  const panel = await testPanel({ extraJobs: TEST_JOBS, ...options })
  await populate(panel)
  return panel
}

/** Ids of rows that are there, for requests that should find something. */
export const knownIds = async ({ foundation }: TestPanel): Promise<string[]> => {
  const { db } = foundation.database
  const tables = ['job', 'api_key', 'admin', 'mcp_connection', 'mcp_confirmation', 'catalog_plugin', 'recipe'] as const
  const ids = async (table: (typeof tables)[number]) => db.selectFrom(table).select('id').limit(20).execute()
  return (await Promise.all(tables.map(ids))).flat().map(({ id }) => id)
}
