import { type ForeignKeyConstraintBuilder, type Kysely, sql } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

/** Deferrable, so that a whole database can be loaded in any order. */
const goesWithItsParent = (key: ForeignKeyConstraintBuilder) => key.onDelete('cascade').deferrable()

/** Times are unix milliseconds, flags 0 or 1, JSON is text: the same on SQLite and PostgreSQL. */
export const up = async (db: Anything): Promise<void> => {
  await panel(db)
  await jobs(db)
  await people(db)
  await keys(db)
}

const panel = async (db: Anything) => {
  await db.schema
    .createTable('panel_meta')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('value', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('setting')
    .addColumn('section', 'text', c => c.primaryKey())
    .addColumn('value', 'text', c => c.notNull())
    .addColumn('updated_at', 'bigint', c => c.notNull())
    .execute()
}

const jobs = async (db: Anything) => {
  await db.schema
    .createTable('job')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('label', 'text', c => c.notNull())
    .addColumn('category', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('origin', 'text', c => c.notNull())
    .addColumn('site_slug', 'text')
    .addColumn('server_id', 'integer')
    .addColumn('schedule_id', 'text')
    .addColumn('batch_id', 'text')
    .addColumn('site_lock', 'text')
    .addColumn('once_key', 'text', c => c.unique())
    .addColumn('lanes', 'text', c => c.notNull())
    .addColumn('started_by', 'text')
    .addColumn('input', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('result', 'text')
    .addColumn('steps_done', 'integer', c => c.notNull())
    .addColumn('steps_total', 'integer', c => c.notNull())
    .addColumn('step', 'text')
    .addColumn('undoing', 'integer', c => c.notNull())
    .addColumn('cancel_requested_at', 'bigint')
    .addColumn('error_code', 'text')
    .addColumn('error_message', 'text')
    .addColumn('worker', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('attempt', 'integer', c => c.notNull())
    .addColumn('deadline_at', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .execute()
  const active = sql<boolean>`status in ('queued', 'running')`
  // A site takes one job at a time: the database itself refuses the second.
  await db.schema.createIndex('job_one_per_site').on('job').column('site_lock').unique().where(active).execute()
  await db.schema.createIndex('job_active').on('job').columns(['status', 'worker']).where(active).execute()
  for (const column of ['status', 'type', 'category', 'origin', 'site_slug', 'server_id', 'schedule_id', 'batch_id']) {
    await db.schema.createIndex(`job_by_${column}`).on('job').columns([column, 'id']).execute()
  }
  await db.schema.createIndex('job_by_created_at').on('job').column('created_at').execute()
  await db.schema.createIndex('job_by_finished_at').on('job').column('finished_at').execute()
  await db.schema
    .createTable('job_lane')
    .addColumn('lane', 'text', c => c.notNull())
    .addColumn('job_id', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('job_lane_pk', ['lane', 'job_id'])
    .execute()
  await db.schema.createIndex('job_lane_by_job').on('job_lane').column('job_id').execute()
  await db.schema
    .createTable('lane_hold')
    .addColumn('lane', 'text', c => c.primaryKey())
    .addColumn('job_id', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('job_log')
    .addColumn('job_id', 'text', c => c.notNull())
    .addColumn('seq', 'integer', c => c.notNull())
    .addColumn('at', 'bigint', c => c.notNull())
    .addColumn('stream', 'text', c => c.notNull())
    .addColumn('text', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('job_log_pk', ['job_id', 'seq'])
    .execute()
}

const people = async (db: Anything) => {
  await db.schema
    .createTable('admin')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('email', 'text', c => c.notNull().unique())
    .addColumn('name', 'text', c => c.notNull())
    // Null for everyone but the owner: unique, so there is never a second one.
    .addColumn('owner', 'integer', c => c.unique())
    .addColumn('password_hash', 'text')
    .addColumn('disabled', 'integer', c => c.notNull())
    .addColumn('preferences', 'text', c => c.notNull())
    .addColumn('totp_sealed', 'text')
    .addColumn('totp_pending_sealed', 'text')
    // The newest time step a code was accepted for; a code works once.
    .addColumn('totp_last_step', 'bigint', c => c.notNull())
    .addColumn('recovery_codes', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_login_at', 'bigint')
    .execute()
  await db.schema
    .createTable('session')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('admin_id', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_seen_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('user_agent', 'text', c => c.notNull())
    .addForeignKeyConstraint('session_admin', ['admin_id'], 'admin', ['id'], goesWithItsParent)
    .execute()
  await db.schema.createIndex('session_by_admin').on('session').column('admin_id').execute()
  await db.schema
    .createTable('one_time_token')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('purpose', 'text', c => c.notNull())
    .addColumn('admin_id', 'text')
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addForeignKeyConstraint('one_time_token_admin', ['admin_id'], 'admin', ['id'], goesWithItsParent)
    .execute()
  await db.schema.createIndex('one_time_token_by_admin').on('one_time_token').columns(['admin_id', 'purpose']).execute()
  await db.schema
    .createTable('failed_attempt')
    .addColumn('bucket', 'text', c => c.primaryKey())
    .addColumn('count', 'integer', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
}

const keys = async (db: Anything) => {
  await db.schema
    .createTable('api_key')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('access', 'text', c => c.notNull())
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('token_start', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('created_by', 'text', c => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('last_used_from', 'text')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema
    .createTable('activity')
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('at', 'bigint', c => c.notNull())
    .addColumn('key_id', 'text', c => c.notNull())
    .addColumn('key_name', 'text', c => c.notNull())
    .addColumn('endpoint', 'text')
    .addColumn('method', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('status', 'integer', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('duration_ms', 'integer', c => c.notNull())
    .addColumn('request_id', 'text', c => c.notNull())
    .addColumn('job_id', 'text')
    .execute()
}
