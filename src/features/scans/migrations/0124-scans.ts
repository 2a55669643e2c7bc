import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

const FIGURES = ['files', 'known_good', 'unchanged', 'files_read', 'found', 'fresh', 'quarantined']

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('scan_policy')
    .addColumn('site_slug', 'text', c => c.primaryKey())
    .addColumn('enabled', 'integer')
    .addColumn('on_finding', 'text')
    .execute()
  let scan = db.schema
    .createTable('scan')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('site_slug', 'text', c => c.notNull())
    .addColumn('job_id', 'text', c => c.notNull())
    .addColumn('started_at', 'bigint', c => c.notNull())
    .addColumn('finished_at', 'bigint', c => c.notNull())
    .addColumn('bytes_read', 'bigint', c => c.notNull())
    .addColumn('rules_version', 'text', c => c.notNull())
    .addColumn('is_complete', 'integer', c => c.notNull())
    .addColumn('left_out', 'text', c => c.notNull())
    .addColumn('notes', 'text', c => c.notNull())
  for (const figure of FIGURES) scan = scan.addColumn(figure, 'integer', c => c.notNull())
  await scan.execute()
  await db.schema.createIndex('scan_site').on('scan').columns(['site_slug', 'id']).execute()
  await createFindings(db)
  await createQuarantine(db)
}

const createFindings = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('finding')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('site_slug', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('rule', 'text', c => c.notNull())
    .addColumn('label', 'text', c => c.notNull())
    .addColumn('severity', 'text', c => c.notNull())
    .addColumn('line', 'integer')
    .addColumn('excerpt', 'text', c => c.notNull())
    .addColumn('item_kind', 'text')
    .addColumn('item_slug', 'text')
    .addColumn('item_version', 'text')
    .addColumn('size_bytes', 'bigint', c => c.notNull())
    .addColumn('modified_at', 'bigint', c => c.notNull())
    .addColumn('sha256', 'text')
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('first_seen_at', 'bigint', c => c.notNull())
    .addColumn('last_seen_at', 'bigint', c => c.notNull())
    .addColumn('changed_at', 'bigint', c => c.notNull())
    .addColumn('quarantine_id', 'text')
    .execute()
  await db.schema.createIndex('finding_site').on('finding').columns(['site_slug', 'status']).execute()
}

const createQuarantine = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('quarantine_item')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('site_slug', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('label', 'text', c => c.notNull())
    .addColumn('severity', 'text', c => c.notNull())
    .addColumn('size_bytes', 'bigint', c => c.notNull())
    .addColumn('mode', 'integer', c => c.notNull())
    .addColumn('uid', 'integer', c => c.notNull())
    .addColumn('gid', 'integer', c => c.notNull())
    .addColumn('modified_at', 'bigint', c => c.notNull())
    .addColumn('sha256', 'text')
    .addColumn('moved_by', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('quarantine_item_site').on('quarantine_item').columns(['site_slug', 'id']).execute()
}
