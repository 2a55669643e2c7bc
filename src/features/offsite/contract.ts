import { z } from 'zod'
import { BackupType, CopyStatus } from '#features/backups/contract.ts'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, Label, Page, QueryFlag, ServerId } from '#platform/contract/identifiers.ts'
import { Job } from '#platform/contract/job.ts'
import { onlyFor } from '#platform/contract/withhold.ts'
import { PROVIDERS } from './providers/contract.ts'

const KIB = 1024
const fieldName = z
  .string()
  .max(40)
  .regex(/^[a-z][A-Za-z]*$/, 'must be the name of a field')
const Config = z.record(fieldName, z.union([z.string().max(2000), z.number()]))

/** How many copies of a site are kept; a copy stays while one of these wants it, and all stay when none is set. */
const kept = (what: string) => z.int().min(1).max(3650).nullable().describe(what)
const retention = {
  retentionCount: kept('how many of the newest copies of each site are kept; null: no limit of this kind'),
  retentionDays: kept('copies younger than this many days are kept'),
  retentionDaily: kept('the newest copy of each of this many days is kept'),
  retentionWeekly: kept('the newest copy of each of this many weeks is kept'),
  retentionMonthly: kept('the newest copy of each of this many months is kept'),
}
export const RETENTION_FIELDS = Object.keys(retention) as (keyof typeof retention)[]

const EXAMPLE_COPIES = { copying: 1, good: 41, failed: 0, damaged: 0 }

export const Passphrase = z.object({ password: z.string(), salt: z.string() })
export type Passphrase = z.infer<typeof Passphrase>

export const Destination = z.object({
  id: Id,
  name: z.string(),
  provider: z.enum(PROVIDERS),
  config: Config,
  secretsSet: z.array(z.string()).describe('names of the secrets on file'),
  enabled: z.boolean(),
  copyTypes: z.array(BackupType),
  ...retention,
  encryption: z.boolean(),
  backfill: z.boolean().describe('backups from before the destination was added are copied, too'),
  deleting: z.boolean().describe('its copies are being deleted'),
  copies: z
    .record(CopyStatus, z.number())
    .meta({ examples: [EXAMPLE_COPIES] })
    .describe('how many, by status'),
  sites: z.number().describe('sites with a good copy'),
  lastCopyAt: z.number().nullable(),
  lastError: z.string().nullable().describe('why the newest copy failed; null when it succeeded'),
  createdAt: z.number(),
})
export type Destination = z.infer<typeof Destination>

const WithPassphrase = Destination.extend({
  passphrase: Passphrase.nullable().describe('shown only now; null unless it was just created'),
})

export const CHECKS = ['list', 'write', 'read', 'delete'] as const

export const Checked = z.object({
  ok: z.boolean(),
  checks: z.array(
    z.object({
      id: z.enum(CHECKS),
      ok: z.boolean(),
      message: z.string(),
      output: onlyFor('manage', z.string()).describe('what the storage said'),
    }),
  ),
})
export type Checked = z.infer<typeof Checked>

export const Copy = z.object({
  id: Id,
  backupId: Id,
  siteSlug: z.string(),
  status: CopyStatus,
  error: z.string().nullable().describe('why it failed'),
  sizeBytes: z.number().describe('of the backup: unchanged data is stored once'),
  backupCreatedAt: z.number(),
  copiedAt: z.number().nullable().describe('when it was complete and checked'),
})
export type Copy = z.infer<typeof Copy>

const params = z.object({ id: Id })
const access = {
  provider: z.enum(PROVIDERS).describe('kind of storage; it never changes'),
  config: Config.describe('what the provider needs, by field'),
  secrets: z.record(fieldName, z.string().max(20_000)).prefault({}).describe('its secrets, by field'),
}
const serverId = ServerId.optional().describe('the server to test from; the first that is set up when left out')
const copyTypes = z.array(BackupType).min(1).max(5).describe('backups of these types are copied')
const ALL_TYPES = [...BackupType.options]

const changeable = {
  name: Label.describe('what people call it'),
  enabled: z.boolean().describe('false: nothing is copied there'),
  copyTypes,
  ...retention,
  encryption: z.boolean().describe('encrypt what is copied; fixed once there is a copy'),
  backfill: z.boolean().describe('copy the backups from before it was added, too'),
}

/** Storage elsewhere, and the copies of backups there. */
export const offsite = contract({
  destinationList: {
    method: 'GET',
    path: '/api/backup-destinations',
    level: 'read-only',
    summary: 'List offsite destinations',
    reply: z.object({ items: z.array(Destination) }),
  },
  destinationCreate: {
    method: 'POST',
    path: '/api/backup-destinations',
    level: 'full',
    status: 201,
    summary: 'Add an offsite destination; with encryption on, the reply has the passphrase, only this once',
    maxBodyBytes: 128 * KIB,
    body: z.strictObject({
      ...access,
      name: changeable.name,
      enabled: changeable.enabled.prefault(true),
      copyTypes: copyTypes.prefault(ALL_TYPES),
      ...(Object.fromEntries(RETENTION_FIELDS.map(name => [name, retention[name].prefault(null)])) as {
        [K in keyof typeof retention]: z.ZodPrefault<(typeof retention)[K]>
      }),
      encryption: changeable.encryption.prefault(true),
      backfill: changeable.backfill.prefault(false),
    }),
    reply: WithPassphrase,
  },
  destinationTry: {
    method: 'POST',
    path: '/api/backup-destinations/test',
    level: 'full',
    summary: 'Test credentials before they are saved: lists, writes, reads back and deletes a file',
    limit: { requests: 20, windowMs: 60_000 },
    maxBodyBytes: 128 * KIB,
    body: z.strictObject({ ...access, serverId }),
    reply: Checked,
  },
  destinationTest: {
    method: 'POST',
    path: '/api/backup-destinations/:id/test',
    level: 'manage',
    summary: 'Test a destination with the stored credentials; changes nothing',
    limit: { requests: 20, windowMs: 60_000 },
    params,
    body: z.strictObject({ serverId }).prefault({}),
    reply: Checked,
  },
  destinationUpdate: {
    method: 'PATCH',
    path: '/api/backup-destinations/:id',
    level: 'full',
    destructive: true,
    summary: 'Change a destination; what is left out stays. Its provider never changes',
    maxBodyBytes: 128 * KIB,
    params,
    body: z
      .strictObject({
        ...changeable,
        config: access.config,
        secrets: z
          .record(fieldName, z.string().max(20_000).nullable())
          .describe('new secrets, by field; null deletes one'),
      })
      .partial(),
    reply: WithPassphrase,
  },
  destinationPassphrase: {
    method: 'POST',
    path: '/api/backup-destinations/:id/passphrase',
    level: 'full',
    destructive: true,
    summary: 'Show the passphrase of an encrypted destination',
    params,
    reply: Passphrase,
  },
  destinationCopyList: {
    method: 'GET',
    path: '/api/backup-destinations/:id/copies',
    level: 'read-only',
    summary: 'List the copies at a destination, newest backup first',
    params,
    query: z.object({ status: CopyStatus.optional().describe('only those with this status'), ...Page }),
    reply: z.object({ items: z.array(Copy), total: z.number() }),
  },
  destinationDelete: {
    method: 'DELETE',
    path: '/api/backup-destinations/:id',
    level: 'full',
    destructive: true,
    job: 'sometimes',
    summary: 'Remove a destination. Its copies stay there unless they are deleted, too',
    params,
    query: z.object({
      deleteRemote: QueryFlag.prefault('false').describe("true deletes this panel's copies there first"),
    }),
    reply: z.object({ ok: z.boolean(), job: Job.nullable().describe('deletes the copies, then the destination') }),
  },
})
