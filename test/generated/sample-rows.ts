import { newCertificateRow } from '#features/certificates/obtain-certificate.ts'
import type { Db } from '#platform/db/database.ts'
import type { Tables } from '#platform/db/tables.ts'
import { insertRows, listTables } from '#platform/db/whole.ts'
import { MORE_SAMPLE_ROWS } from './more-sample-rows.ts'

const HOUR_MS = 3_600_000
const now = Date.now()
const hour = now - (now % HOUR_MS)

/**
 * One row of each table that `populatedPanel` does not fill by what it does. The suites look at all of them: a secret
 * that is shown, a GET that changes one, a request that breaks on one.
 */
const SAMPLE_ROWS: Partial<Tables> = {
  acme_account: {
    server_id: 1,
    directory_url: 'https://acme.invalid/directory',
    email: 'ada@example.com',
    account_url: null,
    sealed_key: '',
    recent_attempts: '[]',
    created_at: now,
  },
  backup: {
    id: '01890000-0000-7000-8000-000000000004',
    site_slug: 'site-0',
    server_id: 1,
    type: 'manual',
    note: `Before the sale: 100% of a_b and c\\d, it's what they say "hi" to`,
    snapshot_id: '0'.repeat(64),
    size_bytes: 250_000_000,
    added_bytes: 1_000_000,
    files: 12_000,
    wordpress_version: '7.0',
    php_version: '8.4',
    created_at: now,
  },
  backup_policy: { site_slug: 'site-0', backups_enabled: 1, offsite_enabled: null },
  certificate: {
    ...newCertificateRow(1, '["failed.example"]', now),
    id: '01890000-0000-7000-8000-000000000001',
    status: 'failed',
    problem: 'failed.example points to another server.',
    attempts: 1,
    next_attempt_at: now + HOUR_MS,
  },
  edge_log: { server_id: 1, positions: '{"access.log":100}' },
  failed_attempt: { bucket: 'address:192.0.2.200', count: 1, expires_at: now + HOUR_MS, next_at: 0 },
  file_upload: {
    site_slug: 'site-0',
    id: 'upload-of-a-file',
    path: 'wp-content/uploads/film.mp4',
    size_bytes: 20_000_000,
    received_bytes: 8_388_608,
    is_written: 0,
    changed_at: now,
  },
  mcp_connection: {
    id: '01890000-0000-7000-8000-000000000014',
    name: 'Claude',
    access: 'manage',
    allow_dangerous: 1,
    site_slugs: '["site-0"]',
    token_hash: null,
    token_start: null,
    client: 'claude-ai 1.0',
    created_at: now,
    created_by: 'Olga Owner',
    created_by_admin: null,
    created_by_key: null,
    last_used_at: now,
    last_used_from: '192.0.2.7',
    paused_at: null,
    revoked_at: null,
  },
  mcp_confirmation: {
    id: '01890000-0000-7000-8000-000000000005',
    connection_id: '01890000-0000-7000-8000-000000000014',
    endpoint: 'siteDelete',
    arguments_hash: 'sample',
    effect: 'Delete a site.',
    code_hash: null,
    approved_by: null,
    created_at: now,
    expires_at: now + HOUR_MS,
    used_at: null,
  },
  mcp_client: {
    id: '01890000-0000-7000-8000-000000000006',
    name: 'Claude',
    redirect_uris: '["https://app.example/callback"]',
    created_at: now,
    allowed_at: now,
  },
  mcp_code: {
    code_hash: 'sample',
    client_id: '01890000-0000-7000-8000-000000000006',
    redirect_uri: 'https://app.example/callback',
    challenge: 'a'.repeat(43),
    granted: '{"name":"Claude","access":"manage","allowDangerous":false,"siteSlugs":null}',
    created_by: 'Olga Owner',
    created_by_admin: '01890000-0000-7000-8000-000000000007',
    expires_at: now + HOUR_MS,
    connection_id: null,
  },
  mcp_token: {
    token_hash: 'sample',
    kind: 'access',
    connection_id: '01890000-0000-7000-8000-000000000014',
    client_id: '01890000-0000-7000-8000-000000000006',
    expires_at: now + HOUR_MS,
    used_at: null,
  },
  job_log: { job_id: '01890000-0000-7000-8000-000000000002', seq: 1, at: now, stream: 'panel', text: 'Begun.' },
  lane_hold: { lane: 'sample', job_id: '01890000-0000-7000-8000-000000000002' },
  one_time_token: {
    token_hash: 'sample',
    purpose: 'reset',
    admin_id: null,
    email: null,
    created_at: now,
    expires_at: now + HOUR_MS,
  },
  sample: {
    subject: 'server:1',
    step_minutes: 60,
    at: hour,
    up_percent: 100,
    cpu_ppm: 20_000,
    cpu_max_ppm: 40_000,
    mem_kib: 1000,
    mem_max_kib: 2000,
    disk_mib: 5000,
    load_percent: 10,
    load_max_percent: 20,
    net_in_kib_per_s: 1,
    net_out_kib_per_s: 2,
  },
  schedule_run: {
    id: '01890000-0000-7000-8000-000000000003',
    schedule_id: 'housekeeping',
    due_at: now,
    started_at: now,
  },
  schedule_run_target: {
    run_id: '01890000-0000-7000-8000-000000000003',
    target: '',
    outcome: 'skipped',
    reason: 'It was busy with another job for an hour.',
  },
  // No one answers there: no request of a test reaches WordPress.org.
  setting: {
    section: 'wordpressOrg',
    value: JSON.stringify({ apiUrl: 'http://127.0.0.1:9', downloadsUrl: 'http://127.0.0.1:9' }),
    updated_at: now,
  },
  site_disk: {
    site_slug: 'site-0',
    limit_mib: 100,
    limit_files: null,
    used_bytes: 99 * 1024 ** 2,
    used_files: 4000,
    measured_at: now,
    stopped_at: now,
  },
  site_copy: { site_slug: 'site-0', server_id: 1, network_index: 100, stage: 'parked', created_at: now },
  site_go_live: {
    site_slug: 'site-0',
    hostnames: '["waiting.example"]',
    problem: "waiting.example doesn't resolve. Point its A record to 203.0.113.7.",
    attempts: 0,
    // Not while a test looks at it.
    next_attempt_at: now + 86_400_000,
    created_at: now,
  },
  site_traffic: {
    site_slug: 'site-0',
    step_minutes: 60,
    at: hour,
    requests: 3,
    bytes: 300,
    status_1xx: 0,
    status_2xx: 2,
    status_3xx: 0,
    status_4xx: 1,
    status_5xx: 0,
    cache_hits: 1,
  },
  wordpress: {
    site_slug: 'site-0',
    core_version: '7.0',
    core_update: '7.1.1',
    core_minor_update: null,
    database_outdated: 0,
    php: '8.4.1',
    multisite: 0,
    users: 3,
    problem: null,
    updates_checked_at: hour,
    scanned_at: hour,
  },
  wordpress_item: {
    site_slug: 'site-0',
    kind: 'plugin',
    file: 'shop/shop.php',
    name: 'shop',
    // Each sign that a search could take for a pattern.
    title: `Shop: 100% a_b c\\d it's say "hi"`,
    version: '1.0',
    status: 'active',
    auto_update: 0,
    update_version: '1.1',
    update_requires_php: '8.0',
    update_requires_wordpress: null,
  },
  vulnerability: {
    id: 'a',
    kind: 'plugin',
    slug: 'shop',
    title: 'A flaw in Shop',
    severity: 'high',
    score: 8.1,
    cve: 'CVE-2026-1',
    url: 'https://example.com/flaw',
    fixed_in: '1.1',
    ranges: '[{"from_version":"*","from_inclusive":true,"to_version":"1.0","to_inclusive":true}]',
  },
  vulnerability_feed: {
    url: 'https://feed.invalid/',
    etag: null,
    last_modified: null,
    records: 1,
    fetched_at: hour,
    checked_at: hour,
  },
  site_traffic_path: { site_slug: 'site-0', at: hour, path: '/', requests: 2, bytes: 200 },
}

export const insertSampleRows = async (db: Db): Promise<void> => {
  for (const [table, row] of Object.entries({ ...SAMPLE_ROWS, ...MORE_SAMPLE_ROWS }))
    await insertRows(db, table, [{ ...row }])
  const [job] = await db.selectFrom('job').select('id').limit(1).execute()
  if (job) await insertRows(db, 'wordpress_task_item', [{ ...TASK_ITEM, job_id: job.id }])
}

/** Its job is one of those that wait. */
const TASK_ITEM: Omit<Tables['wordpress_task_item'], 'job_id'> = {
  position: 0,
  kind: 'plugin',
  slug: 'shop',
  action: 'update',
  fate: 'waiting',
  from_version: '1.0',
  to_version: '1.1',
  reason: null,
}

/** The tables without a row, each as a sentence that says what to do. */
export const emptyTables = async (db: Db): Promise<string[]> => {
  const sentences: string[] = []
  for (const table of await listTables(db)) {
    const row = await db
      .selectFrom(table as keyof Tables)
      .selectAll()
      .limit(1)
      .executeTakeFirst()
    if (!row)
      sentences.push(
        `The table ${table} is empty in the populated panel, so no suite looks at it: add a row to SAMPLE_ROWS in test/generated/sample-rows.ts.`,
      )
  }
  return sentences
}
