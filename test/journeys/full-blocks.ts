import { type BlockRow, insertBlock } from '#features/blocks/block-store.ts'
import { insertDecision } from '#features/blocks/detection/decision-store.ts'
import { keysOf, readNetwork } from '#features/blocks/network.ts'
import { insertNeverBlock } from '#features/blocks/never-block-store.ts'
import { newId } from '#platform/db/id.ts'
import type { TestPanel } from '../support/panel.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const BLOCKS = [
  { address: '203.0.113.7', hours: 1, note: '10 failed logins within 10 minutes', reason: 'failed-logins' },
  { address: '2001:db8:51:7::/64', hours: 16, note: '60 XML-RPC requests within 10 minutes', reason: 'xmlrpc' },
  { address: '198.51.100.0/24', hours: null, note: 'Scans the whole fleet every night', reason: null },
  { address: '203.0.113.99', hours: null, note: '', reason: null, site: 'bakery-sunrise-4' },
] as const

const EVIDENCE = [
  { siteSlug: 'bakery-sunrise-4', method: 'POST', path: '/wp-login.php', status: 200, userAgent: 'Mozilla/5.0' },
  { siteSlug: 'bakery-sunrise-4', method: 'POST', path: '/wp-login.php', status: 200, userAgent: '<b>curl</b>/8.5' },
]

const rowOf = (block: (typeof BLOCKS)[number], now: number): BlockRow => ({
  id: newId(),
  ...keysOf(readNetwork(block.address)),
  address: block.address,
  site_slug: 'site' in block ? block.site : null,
  note: block.note,
  source: block.reason ? 'detection' : 'admin',
  reason: block.reason,
  created_at: now - 20 * MINUTE_MS,
  created_by: block.reason ? 'Fleetpress' : 'Anna Keller',
  expires_at: block.hours === null ? null : now + block.hours * HOUR_MS,
  lifted_at: null,
  lifted_by: null,
})

/** Addresses that are blocked, one that never is, and what detection decided. */
export const fillBlocks = async ({ foundation: { database } }: TestPanel): Promise<void> => {
  const { db } = database
  const now = Date.now()
  const rows = BLOCKS.map(block => rowOf(block, now))
  for (const row of rows) await insertBlock(db, row)
  const lifted = { address: '192.0.2.44', ...keysOf(readNetwork('192.0.2.44')), lifted_by: 'Olga Owner' }
  const [first] = rows
  if (first) await insertBlock(db, { ...first, ...lifted, id: newId(), lifted_at: now - MINUTE_MS })
  const office = { address: '192.0.2.128/28', note: 'Office in Lyon', created_at: now, created_by: 'Olga Owner' }
  await insertNeverBlock(db, { id: newId(), ...keysOf(readNetwork(office.address)), ...office })
  const requests = JSON.stringify(EVIDENCE.map((request, at) => ({ ...request, at: now - at * 1000 })))
  const decision = { window_minutes: 10, server_id: 1, sites: '["bakery-sunrise-4"]', requests, count: 10 } as const
  await insertDecision(db, {
    ...decision,
    id: newId(),
    at: now - 20 * MINUTE_MS,
    address: '203.0.113.7',
    reason: 'failed-logins',
    outcome: 'blocked',
    why: '10 failed logins within 10 minutes. Blocked for 60 minutes.',
    block_id: first?.id ?? null,
  })
  await insertDecision(db, {
    ...decision,
    id: newId(),
    at: now - 2 * HOUR_MS,
    address: '66.249.66.1',
    reason: 'probing',
    outcome: 'spared',
    why: 'It is the crawler crawl-66-249-66-1.googlebot.com.',
    block_id: null,
  })
}
