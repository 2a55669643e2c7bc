import type { Finding } from '../contract.ts'
import type { FindingRow } from './finding-store.ts'

export const showFinding = (row: FindingRow): Finding => ({
  id: row.id,
  siteSlug: row.site_slug,
  path: row.path,
  kind: row.kind,
  label: row.label,
  severity: row.severity,
  rule: row.rule,
  line: row.line,
  excerpt: row.excerpt,
  status: row.status,
  item:
    row.item_kind === null ? null : { kind: row.item_kind, slug: row.item_slug ?? '', version: row.item_version ?? '' },
  canPutBack: row.kind === 'panel',
  sizeBytes: row.size_bytes,
  modifiedAt: row.modified_at,
  sha256: row.sha256,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
  changedAt: row.changed_at,
  quarantineId: row.quarantine_id,
})
