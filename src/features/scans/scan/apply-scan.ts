import type { Db } from '#platform/db/database.ts'
import { newId } from '#platform/db/id.ts'
import { type FindingRow, insertFinding, listFindings, updateFinding } from '../findings/finding-store.ts'
import type { FoundFile, Scanned } from './scan-files.ts'

/** How many findings were not open before. */
export const applyScan = (db: Db, slug: string, { found, summary }: Scanned, now: number): Promise<number> =>
  db.transaction().execute(async on => {
    const keyOf = ({ path, rule }: { path: string; rule: string }) => `${rule} ${path}`
    const known = new Map((await listFindings(on, slug)).map(row => [keyOf(row), row]))
    const seen = new Set(found.map(keyOf))
    let fresh = 0
    for (const file of new Map(found.map(each => [keyOf(each), each])).values()) {
      const before = known.get(keyOf(file))
      const row = rowOf(slug, file, now)
      const status = before ? statusOf(before, row) : 'open'
      if (status === 'open' && before?.status !== 'open') fresh += 1
      if (before) await updateFinding(on, before.id, changeOf(before, row, status))
      else await insertFinding(on, row)
    }
    // What a scan that ended early did not find may still be there.
    if (!summary.complete) return fresh
    for (const [key, row] of known)
      if (!seen.has(key) && (row.status === 'open' || row.status === 'ignored'))
        await updateFinding(on, row.id, { status: 'resolved', changed_at: now })
    return fresh
  })

const rowOf = (slug: string, file: FoundFile, now: number): FindingRow => ({
  id: newId(now),
  site_slug: slug,
  path: file.path,
  kind: file.kind,
  rule: file.rule,
  label: file.label,
  severity: file.severity,
  line: file.line ?? null,
  excerpt: file.excerpt ?? '',
  item_kind: file.item?.kind ?? null,
  item_slug: file.item?.slug ?? null,
  item_version: file.item?.version ?? null,
  size_bytes: file.size,
  modified_at: file.modified,
  sha256: file.sha256 ?? null,
  status: 'open',
  first_seen_at: now,
  last_seen_at: now,
  changed_at: now,
  quarantine_id: null,
})

/** Whether a person has decided about exactly this file. */
const isSameFile = (before: FindingRow, row: FindingRow) =>
  row.sha256 === null ? before.modified_at === row.modified_at : before.sha256 === row.sha256

const statusOf = (before: FindingRow, row: FindingRow): FindingRow['status'] => {
  if (before.status === 'ignored') return isSameFile(before, row) ? 'ignored' : 'open'
  // That a file is new is news only once.
  if (before.status === 'resolved' && row.kind === 'new' && isSameFile(before, row)) return 'resolved'
  return 'open'
}

const changeOf = (before: FindingRow, row: FindingRow, status: FindingRow['status']): Partial<FindingRow> => {
  const { id: _, first_seen_at: __, ...seen } = row
  const isChanged = status !== before.status
  return {
    ...seen,
    status,
    changed_at: isChanged ? row.changed_at : before.changed_at,
    quarantine_id: isChanged ? null : before.quarantine_id,
  }
}
