import { saveProtection } from '#features/protection/protection-store.ts'
import { keepRefused } from '#features/protection/refused/refused-store.ts'
import { newId } from '#platform/db/id.ts'
import type { TestPanel } from '../support/panel.ts'

const HOUR_MS = 3_600_000
const REFUSED = [
  { rule: 'sensitive-files', path: '/.env', method: 'GET' },
  { rule: 'limit:login', path: '/wp-login.php', method: 'POST' },
  { rule: 'sensitive-files', path: '/wp-config.php.bak', method: 'GET' },
  { rule: 'scanners', path: '/<img src=x onerror=alert(1)>', method: 'GET' },
  { rule: 'xmlrpc', path: '/xmlrpc.php', method: 'POST' },
] as const

/** The first sites were attacked; some have another level than the fleet, and one has a rule of its own. */
export const fillProtection = async ({ foundation: { database } }: TestPanel, now: number): Promise<void> => {
  const { db } = database
  const sites = await db.selectFrom('site').select('slug').orderBy('slug').execute()
  const own = {
    id: newId(now),
    action: 'block' as const,
    match: 'all' as const,
    conditions: [{ field: 'path' as const, operator: 'begins' as const, value: '/private/' }],
    note: 'Only for the office',
    enabled: true,
  }
  for (const [index, { slug }] of sites.slice(0, 6).entries()) {
    const level = index === 0 ? 'strict' : index === 3 ? 'off' : null
    const overrides = index === 0 ? { rules: { xmlrpc: 'limited' as const } } : {}
    const customRules = index === 0 ? [own] : []
    await saveProtection(db, slug, { level, overrides, customRules, changedAt: null }, now - index * HOUR_MS)
    const lines = Array.from({ length: 90 }, (_, at) => ({
      site: slug,
      at: now - at * HOUR_MS * (1 + (index % 2)),
      status: 403,
      address: `192.0.2.${at}`,
      userAgent: 'Mozilla/5.0 (compatible; sqlmap/1.7)',
      ...(REFUSED[at % REFUSED.length] ?? REFUSED[0]),
    }))
    await keepRefused(db, lines)
  }
}
