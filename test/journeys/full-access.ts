import { insertAdmin } from '#features/admins/admin-store.ts'
import { newAdmin } from '#features/admins/new-admin.ts'
import { insertSession } from '#features/admins/session-store.ts'
import { type ActivityRow, insertActivity, WITH_KEY } from '#features/panel/activity-store.ts'
import { createKey } from '#features/panel/index.ts'
import { touchKey } from '#features/panel/key-store.ts'
import { newId } from '#platform/db/id.ts'
import type { TestPanel } from '../support/panel.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const REQUESTS = 140

const PEOPLE = [
  { name: 'Anna Keller', email: 'anna.keller@agency.example', seenDaysAgo: 0, disabled: 0, hasPassword: true },
  { name: 'Bruno Lang', email: 'bruno@agency.example', seenDaysAgo: 3, disabled: 0, hasPassword: true },
  { name: 'Chris Former', email: 'chris@freelance.example', seenDaysAgo: 64, disabled: 1, hasPassword: true },
  { name: 'Dana Newcomer', email: 'dana.newcomer@agency.example', seenDaysAgo: null, disabled: 0, hasPassword: false },
] as const

const KEYS = [
  { name: 'Deploy script', access: 'manage', expiresInDays: 6 },
  { name: 'Grafana dashboard', access: 'read-only', expiresInDays: 320 },
  { name: 'Terraform', access: 'full', expiresInDays: null },
] as const

const BROWSERS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0',
]

const ASKED = [
  { method: 'GET', path: '/api/sites', endpoint: 'siteList', status: 200, startsJob: false },
  { method: 'GET', path: '/api/servers/1/monitor', endpoint: 'serverMonitor', status: 200, startsJob: false },
  {
    method: 'POST',
    path: '/api/sites/bakery-sunrise-4/restart',
    endpoint: 'siteRestart',
    status: 202,
    startsJob: true,
  },
  { method: 'DELETE', path: '/api/sites/harbor-law-9', endpoint: 'siteDelete', status: 403, startsJob: false },
  { method: 'GET', path: '/api/jobs?status=failed', endpoint: 'jobList', status: 200, startsJob: false },
  { method: 'POST', path: '/api/sites/green-roofs-2/stop', endpoint: 'siteStop', status: 409, startsJob: false },
  { method: 'GET', path: '/api/sitess', endpoint: null, status: 404, startsJob: false },
  { method: 'GET', path: '/api/overview', endpoint: 'overview', status: 429, startsJob: false },
] as const

const addPeople = async ({ foundation: { database } }: TestPanel, now: number) => {
  for (const [index, { name, email, seenDaysAgo, disabled, hasPassword }] of PEOPLE.entries()) {
    const admin = newAdmin({
      name,
      email,
      owner: false,
      passwordHash: hasPassword ? 'unknown' : null,
      now: now - DAY_MS * 90,
    })
    await insertAdmin(database.db, {
      ...admin,
      disabled,
      totp_sealed: index === 0 ? 'sealed' : null,
      last_login_at: seenDaysAgo === null ? null : now - seenDaysAgo * DAY_MS,
    })
  }
}

/** Other browsers the owner is signed in with. */
const addSessions = async ({ foundation: { database } }: TestPanel, now: number) => {
  const { id } = await database.db.selectFrom('admin').select('id').where('owner', '=', 1).executeTakeFirstOrThrow()
  for (const [index, user_agent] of BROWSERS.entries()) {
    const created_at = now - (index + 1) * DAY_MS
    const times = { created_at, last_seen_at: created_at + 60 * MINUTE_MS, expires_at: now + 7 * DAY_MS }
    const from = { address: `198.51.100.${40 + index}`, user_agent }
    await insertSession(database.db, {
      id: newId(created_at),
      token_hash: `none ${index}`,
      admin_id: id,
      ...times,
      ...from,
    })
  }
}

const addKeys = async ({ foundation: { database } }: TestPanel, now: number) => {
  const { id, name } = await database.db
    .selectFrom('admin')
    .select(['id', 'name'])
    .where('email', '=', PEOPLE[0].email)
    .executeTakeFirstOrThrow()
  const made = KEYS.map(({ expiresInDays, ...key }) =>
    createKey(database.db, {
      ...key,
      createdBy: name,
      createdByAdmin: id,
      expiresAt: expiresInDays === null ? null : now + expiresInDays * DAY_MS,
      now: now - 40 * DAY_MS,
    }),
  )
  return (await Promise.all(made)).map(({ row }) => row)
}

/** People, keys and what the keys did, as the panel itself would write it. */
export const fillAccess = async (panel: TestPanel): Promise<void> => {
  const now = Date.now()
  const { db } = panel.foundation.database
  await addPeople(panel, now)
  await addSessions(panel, now)
  const keys = await addKeys(panel, now)
  const jobs = await db.selectFrom('job').select('id').limit(20).execute()
  const rows = Array.from({ length: REQUESTS }, (_, index): ActivityRow[] => {
    const key = keys[index % keys.length]
    const asked = ASKED[(index * 5) % ASKED.length]
    if (!key || !asked) return []
    const at = now - (REQUESTS - index) * 11 * MINUTE_MS
    return [
      {
        id: newId(at),
        at,
        key_id: key.id,
        key_name: key.name,
        endpoint: asked.endpoint,
        method: asked.method,
        path: asked.path,
        status: asked.status,
        address: `198.51.100.${20 + (index % 3)}`,
        duration_ms: 3 + (index % 40),
        request_id: newId(at),
        job_id: asked.startsJob ? (jobs[index % Math.max(1, jobs.length)]?.id ?? null) : null,
        ...WITH_KEY,
      },
    ]
  }).flat()
  await insertActivity(db, rows)
  for (const [index, { id }] of keys.entries()) {
    await touchKey(db, id, now - (index + 1) * 11 * MINUTE_MS, `198.51.100.${20 + index}`)
  }
}
