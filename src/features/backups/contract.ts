import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { FilePath, Id, Label, Page, SearchText, ServerId, SiteSlug } from '#platform/contract/identifiers.ts'
import { Job, JobAccepted } from '#platform/contract/job.ts'

export const BACKUP_TYPES = ['manual', 'scheduled', 'pre_update', 'pre_restore', 'final'] as const
export const BackupType = z.enum(BACKUP_TYPES)

export const COPY_STATUSES = ['copying', 'good', 'failed', 'damaged'] as const
export const CopyStatus = z.enum(COPY_STATUSES)

export const BackupCopy = z.object({
  destinationId: Id,
  destinationName: z.string(),
  status: CopyStatus.describe('damaged: it was complete once, and could not be read later'),
  copiedAt: z.number().nullable(),
})
export type BackupCopy = z.infer<typeof BackupCopy>

export const Backup = z.object({
  id: Id,
  siteSlug: z.string(),
  siteExists: z.boolean().describe('false for a site that was deleted; its backups stay until they are deleted'),
  serverId: ServerId,
  type: BackupType,
  note: z.string(),
  sizeBytes: z.number().describe('files and database as they were'),
  addedBytes: z.number().describe('what it added on the server: unchanged data is stored once'),
  files: z.number(),
  onServer: z.boolean().describe('false when only offsite copies are left'),
  wordpressVersion: z.string().nullable(),
  phpVersion: z.string(),
  createdAt: z.number(),
  copies: z.array(BackupCopy).describe('offsite'),
})
export type Backup = z.infer<typeof Backup>

export const BackupFailure = z.object({
  jobId: Id,
  at: z.number(),
  message: z.string(),
})

export const BACKUP_STANDINGS = ['good', 'new', 'stale', 'failed', 'off', 'deleted'] as const

export const SiteStanding = z.object({
  siteSlug: z.string(),
  title: z.string(),
  serverId: ServerId,
  standing: z
    .enum(BACKUP_STANDINGS)
    .describe(
      'new: created recently, no backup yet. stale: none in two days. off: scheduled backups are switched off. deleted: only its backups are left',
    ),
  latest: Backup.nullable(),
  failure: BackupFailure.nullable().describe('why its last backup failed; null when it succeeded'),
  backups: z.number(),
  sizeBytes: z.number().describe('what all of them take on the server'),
})
export type SiteStanding = z.infer<typeof SiteStanding>

export const RestoreParts = z.enum(['all', 'files', 'database'])

/** As the site's own database names it. */
export const TableName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[ -~\u00a0-\ud7ff\ue000-\uffff]+$/u, 'must be the name of a table')

const MOST_PATHS = 100
const MOST_TABLES = 100
const KIB = 1024

const siteParams = z.object({ slug: SiteSlug })
const params = z.object({ id: Id })

/** Backups of sites, on the server that holds the site. */
export const backups = contract({
  backupList: {
    method: 'GET',
    path: '/api/backups',
    level: 'read-only',
    summary: 'List backups of all sites, newest first',
    query: z.object({
      siteSlug: SiteSlug.optional(),
      serverId: ServerId.optional(),
      type: BackupType.optional().describe('only those of this type'),
      q: SearchText.optional().describe('in the site or the note'),
      ...Page,
    }),
    reply: z.object({
      items: z.array(Backup),
      total: z.number(),
      counts: z.record(z.string(), z.number()).describe('per type'),
      sizeBytes: z.number().describe('what all of them take on their servers'),
    }),
  },
  backupIdList: {
    method: 'GET',
    path: '/api/backups/ids',
    level: 'read-only',
    summary: 'List the ids of backups, newest first',
    query: z.object({ siteSlug: SiteSlug.optional(), type: BackupType.optional().describe('only those of this type') }),
    reply: z.object({ ids: z.array(Id) }),
  },
  backupSiteList: {
    method: 'GET',
    path: '/api/backups/sites',
    level: 'read-only',
    summary: 'List sites with their newest backup, and why the last one failed',
    reply: z.object({ items: z.array(SiteStanding) }),
  },
  siteBackupList: {
    method: 'GET',
    path: '/api/sites/:slug/backups',
    level: 'read-only',
    summary: 'List the backups of a site, newest first',
    params: siteParams,
    reply: z.object({
      items: z.array(Backup),
      enabled: z.boolean().nullable().describe('whether schedules back it up; null follows the schedules'),
      offsiteEnabled: z
        .boolean()
        .nullable()
        .describe('whether its backups are copied offsite; null follows the settings'),
      failure: BackupFailure.nullable().describe('why the last backup failed; null when it succeeded'),
    }),
  },
  backupCreate: {
    method: 'POST',
    path: '/api/sites/:slug/backups',
    level: 'manage',
    summary: 'Back up a site: its files and a consistent dump of its database. The site keeps serving',
    job: true,
    params: siteParams,
    body: z.strictObject({ note: Label.optional().describe('why it is taken') }).prefault({}),
    reply: JobAccepted,
  },
  backupDownload: {
    method: 'GET',
    path: '/api/backups/:id/download',
    level: 'manage',
    mcp: 'no',
    summary: 'Download a backup as one .tar: the files of the site, and its database as one .sql file per table',
    params,
    download: { type: 'application/x-tar' },
  },
  backupRestore: {
    method: 'POST',
    path: '/api/backups/:id/restore',
    level: 'manage',
    summary:
      'Restore a backup. The current state is backed up first, and stays in place if anything fails. The site is stopped while its files and database are exchanged',
    job: true,
    destructive: true,
    maxBodyBytes: 2048 * KIB,
    params,
    body: z
      .strictObject({
        parts: RestoreParts.prefault('all').describe('what to restore'),
        skipSafetyCopy: z.boolean().prefault(false).describe("don't back up the current state first"),
        paths: z.array(FilePath.min(1)).max(MOST_PATHS).prefault([]).describe('only these files and folders'),
        tables: z.array(TableName).max(MOST_TABLES).prefault([]).describe('only these tables'),
        drill: z
          .boolean()
          .prefault(false)
          .describe('restore into a throwaway container, to check that WordPress works; the site stays as it is'),
      })
      .prefault({}),
    reply: JobAccepted,
  },
  siteBackupsSet: {
    method: 'PUT',
    path: '/api/sites/:slug/backups-enabled',
    level: 'full',
    summary: 'Switch scheduled backups of a site on or off; null follows the schedules',
    destructive: true,
    params: siteParams,
    body: z.strictObject({ enabled: z.boolean().nullable().describe('null follows the schedules') }),
    reply: z.object({ enabled: z.boolean().nullable() }),
  },
  backupCopy: {
    method: 'POST',
    path: '/api/backups/:id/offsite',
    level: 'manage',
    summary: 'Copy a backup to every enabled offsite destination that does not hold it yet',
    job: true,
    params,
    reply: JobAccepted,
  },
  backupFetch: {
    method: 'POST',
    path: '/api/backups/:id/fetch',
    level: 'manage',
    summary: 'Download a backup from an offsite destination to the server, so that it can be restored',
    job: true,
    params,
    body: z.strictObject({ destinationId: Id.optional().describe('the newest good copy when left out') }).prefault({}),
    reply: JobAccepted,
  },
  siteOffsiteSet: {
    method: 'PUT',
    path: '/api/sites/:slug/offsite-enabled',
    level: 'full',
    summary: 'Switch offsite copies of the backups of a site on or off; null follows the settings',
    job: 'sometimes',
    params: siteParams,
    body: z.strictObject({ enabled: z.boolean().nullable().describe('null follows the settings') }),
    reply: z.object({
      enabled: z.boolean().nullable(),
      job: Job.nullable().describe('copies the backups there are; null when nothing is missing'),
    }),
  },
  backupBulkDelete: {
    method: 'POST',
    path: '/api/backups/bulk-delete',
    level: 'full',
    summary: 'Delete backups with their offsite copies. One that is in use is left alone and named in the job log',
    job: true,
    destructive: true,
    maxBodyBytes: 256 * KIB,
    body: z.strictObject({ ids: z.array(Id).min(1).max(500).describe('the backups to delete') }),
    reply: JobAccepted,
  },
})
