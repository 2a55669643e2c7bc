import { type Kysely, sql } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .createTable('server')
    .addColumn('id', 'integer', c => c.primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('ssh_host', 'text')
    .addColumn('ssh_port', 'integer', c => c.notNull())
    .addColumn('ssh_user', 'text', c => c.notNull())
    .addColumn('host_key', 'text')
    .addColumn('public_ip', 'text')
    .addColumn('dev_domain', 'text', c => c.notNull())
    .addColumn('dns_provider', 'text', c => c.notNull())
    .addColumn('acme_email', 'text')
    .addColumn('backup_root', 'text', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('sealed_database_password', 'text')
    .addColumn('stack_version', 'text')
    .addColumn('last_seen_at', 'bigint')
    .addColumn('provisioned_at', 'bigint')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('deleted_at', 'bigint')
    .execute()
  await uniqueWhileKept(db, 'server_name', ['name'])
  await uniqueWhileKept(db, 'server_address', ['ssh_host', 'ssh_port'])
  await uniqueWhileKept(db, 'server_dev_domain', ['dev_domain'])
  await db.schema
    .createTable('ssh_key')
    .addColumn('id', 'integer', c => c.primaryKey())
    .addColumn('public_key', 'text', c => c.notNull())
    .addColumn('sealed_private_key', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.insertInto('server').values(ownServer()).execute()
}

/** What a deleted server was called may be used again. */
const uniqueWhileKept = (db: Anything, name: string, columns: string[]) =>
  db.schema.createIndex(name).unique().on('server').columns(columns).where(sql.ref('deleted_at'), 'is', null).execute()

const ownServer = () => ({
  id: 1,
  name: 'This server',
  ssh_host: null,
  ssh_port: 22,
  ssh_user: 'root',
  host_key: null,
  public_ip: null,
  dev_domain: 'localhost',
  dns_provider: 'none',
  acme_email: null,
  backup_root: '/srv/fleetpress/backups',
  status: 'new',
  problem: null,
  sealed_database_password: null,
  stack_version: null,
  last_seen_at: null,
  provisioned_at: null,
  created_at: Date.now(),
  deleted_at: null,
})
