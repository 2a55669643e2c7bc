import { type FindingRow, insertFinding } from '#features/scans/findings/finding-store.ts'
import { insertItem } from '#features/scans/quarantine/quarantine-store.ts'
import { insertScan } from '#features/scans/scan/scan-store.ts'
import { newId } from '#platform/db/id.ts'
import type { TestPanel } from '../support/panel.ts'

const HOUR_MS = 3_600_000
const SHA = '0'.repeat(64)

const FOUND: readonly Partial<FindingRow>[] = [
  { path: 'wp-content/uploads/2026/03/cache.php', line: 1, excerpt: '<?php @eval(base64_decode($_POST["x"]));' },
  {
    path: 'wp-includes/formatting.php',
    kind: 'changed',
    rule: 'changed_file',
    label: 'Changed since it was published',
    severity: 'suspicious',
    item_kind: 'core',
    item_slug: 'core',
    item_version: '6.9.1',
  },
  {
    path: 'wp-config.php',
    kind: 'panel',
    rule: 'panel_file',
    label: 'Changed since the panel wrote it',
    severity: 'notice',
  },
  {
    path: 'wp-content/mu-plugins/own.php',
    rule: 'decoded_code',
    label: 'Runs code that is hidden behind decoders',
    severity: 'suspicious',
    status: 'ignored',
  },
]

/** The first site in the list was attacked. */
export const fillScans = async ({ foundation: { database } }: TestPanel, now: number): Promise<void> => {
  const { db } = database
  const { slug } = await db.selectFrom('site').select('slug').orderBy('slug').executeTakeFirstOrThrow()
  for (const found of FOUND)
    await insertFinding(db, {
      id: newId(now),
      site_slug: slug,
      path: '',
      kind: 'malware',
      rule: 'input_to_eval',
      label: 'Runs what a visitor sends as PHP',
      severity: 'confirmed',
      line: null,
      excerpt: '',
      item_kind: null,
      item_slug: null,
      item_version: null,
      size_bytes: 1_832,
      modified_at: now - 30 * HOUR_MS,
      sha256: SHA,
      status: 'open',
      first_seen_at: now - 9 * HOUR_MS,
      last_seen_at: now - 9 * HOUR_MS,
      changed_at: now - 9 * HOUR_MS,
      quarantine_id: null,
      ...found,
    })
  await insertItem(db, {
    id: newId(now),
    site_slug: slug,
    path: 'wp-content/uploads/2026/03/up.php',
    status: 'kept',
    label: 'Takes any file from anyone and keeps it under its name',
    severity: 'suspicious',
    size_bytes: 612,
    mode: 0o644,
    uid: 70_000,
    gid: 70_000,
    modified_at: now - 30 * HOUR_MS,
    sha256: SHA,
    moved_by: 'Malware scan',
    created_at: now - 9 * HOUR_MS,
    ended_at: null,
  })
  for (let night = 4; night > 0; night -= 1) {
    const at = now - (night * 24 - 15) * HOUR_MS
    const figures = {
      files: 11_480,
      known_good: 10_912,
      unchanged: night === 4 ? 0 : 11_461,
      files_read: night === 4 ? 11_480 : 19,
    }
    await insertScan(db, {
      id: newId(at),
      site_slug: slug,
      job_id: newId(at),
      started_at: at,
      finished_at: at + 4_000,
      ...figures,
      bytes_read: figures.files_read * 21_000,
      found: night === 1 ? 3 : 0,
      fresh: night === 1 ? 3 : 0,
      quarantined: night === 1 ? 1 : 0,
      rules_version: 'e73a4e7709e3',
      is_complete: 1,
      left_out: '[]',
      notes: '[]',
    })
  }
}
