import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, ServerId, SiteSlug } from '#platform/contract/identifiers.ts'
import { JobAccepted, JobStatus } from '#platform/contract/job.ts'
import { onlyFor } from '#platform/contract/withhold.ts'

export const ON_FINDING = ['report', 'quarantine-confirmed', 'quarantine-all'] as const
export const OnFinding = z
  .enum(ON_FINDING)
  .describe(
    'report: only list it. quarantine-confirmed: move confirmed malware out of the site. quarantine-all: suspicious files too',
  )

/** The most serious first. */
export const SEVERITIES = ['confirmed', 'suspicious', 'notice'] as const
export const FINDING_STATUSES = ['open', 'ignored', 'resolved', 'quarantined'] as const
export const FINDING_KINDS = ['malware', 'changed', 'unknown', 'panel', 'new'] as const
export const ITEM_KINDS = ['core', 'plugin', 'theme'] as const
export const QUARANTINE_STATUSES = ['kept', 'restored', 'deleted'] as const

export const Finding = z.object({
  id: Id,
  siteSlug: z.string(),
  path: z.string().describe('of the file in the site'),
  kind: z
    .enum(FINDING_KINDS)
    .describe(
      'malware: a rule matched. changed: not as published. unknown: its folder has no such file as published. panel: a file of the panel was changed. new: came since the last clean scan',
    ),
  label: z.string().describe('what was found, in words'),
  severity: z.enum(SEVERITIES).describe('confirmed: no honest plugin has this'),
  rule: z.string(),
  line: z.number().nullable(),
  excerpt: onlyFor('manage', z.string()).describe('the line that matched'),
  status: z.enum(FINDING_STATUSES),
  item: z
    .object({ kind: z.enum(ITEM_KINDS), slug: z.string(), version: z.string() })
    .nullable()
    .describe('what the file belongs to; it can be reinstalled'),
  canPutBack: z.boolean().describe('whether the panel can write its own file again'),
  sizeBytes: z.number(),
  modifiedAt: z.number(),
  sha256: z.string().nullable().describe('of the file; null when it was too large to read'),
  firstSeenAt: z.number(),
  lastSeenAt: z.number(),
  changedAt: z.number().describe('when its status last changed'),
  quarantineId: Id.nullable(),
})
export type Finding = z.infer<typeof Finding>

const counts = <const K extends readonly string[]>(names: K) =>
  z.object(Object.fromEntries(names.map(name => [name, z.number()])) as Record<K[number], z.ZodNumber>)

export const Scan = z.object({
  id: Id,
  jobId: Id,
  startedAt: z.number(),
  finishedAt: z.number(),
  files: z.number().describe('files of the site'),
  knownGood: z.number().describe('files as published, or as the panel wrote them'),
  unchanged: z.number().describe('files that were not read again'),
  filesRead: z.number(),
  bytesRead: z.number(),
  found: z.number().describe('findings of this scan'),
  fresh: z.number().describe('findings that were not open before'),
  quarantined: z.number().describe('files that the scan moved out of the site'),
  rulesVersion: z.string(),
  isComplete: z.boolean().describe('false when it ended at a limit'),
  leftOut: z
    .array(z.object({ reason: z.string(), files: z.number(), example: z.string() }))
    .describe('what was not read, and why'),
  notes: z.array(z.string()).describe('what could not be checked'),
})
export type Scan = z.infer<typeof Scan>

export const SiteScan = z.object({
  siteSlug: z.string(),
  title: z.string(),
  serverId: ServerId,
  enabled: z.boolean().nullable().describe('whether schedules scan it; null follows the fleet'),
  onFinding: OnFinding.nullable().describe('what happens to findings; null follows the fleet'),
  effective: z.object({ enabled: z.boolean(), onFinding: OnFinding }).describe('what applies now'),
  scanning: z.object({ jobId: Id, status: JobStatus }).nullable().describe('the scan that waits or runs'),
  lastScan: Scan.nullable(),
  open: counts(SEVERITIES).describe('open findings per severity'),
  quarantined: z.number().describe('files in quarantine'),
})
export type SiteScan = z.infer<typeof SiteScan>

export const QuarantineItem = z.object({
  id: Id,
  siteSlug: z.string(),
  path: z.string().describe('where the file was'),
  status: z.enum(QUARANTINE_STATUSES),
  label: z.string().describe('why it was moved'),
  severity: z.enum(SEVERITIES),
  sizeBytes: z.number(),
  mode: z.string().describe('such as 0644'),
  owner: z.string().describe('numbers of user and group'),
  modifiedAt: z.number(),
  sha256: z.string().nullable().describe('null for a very large file'),
  by: z.string().describe('who moved it'),
  createdAt: z.number(),
  endedAt: z.number().nullable().describe('when it was restored or deleted'),
})
export type QuarantineItem = z.infer<typeof QuarantineItem>

const MOST_SLUGS = 500
const site = z.object({ slug: SiteSlug })
const one = z.object({ slug: SiteSlug, id: Id })

/** Malware scans of sites, what they find, and what becomes of it. */
export const scans = contract({
  scanList: {
    method: 'GET',
    path: '/api/security/scans',
    level: 'read-only',
    sites: 'kept',
    summary: 'List the scan settings, the last scan and the open findings of all sites, and the scans that wait or run',
    reply: z.object({
      items: z.array(SiteScan),
      inFlight: z.array(z.object({ siteSlug: z.string(), jobId: Id, status: JobStatus })),
    }),
  },
  scanStart: {
    method: 'POST',
    path: '/api/security/scans',
    level: 'manage',
    sites: 'named',
    summary: 'Scan several sites for malware, or all of them. A site has one scan at a time',
    job: 'many',
    status: 202,
    maxBodyBytes: 256 * 1024,
    body: z
      .strictObject({
        slugs: z.array(SiteSlug).max(MOST_SLUGS).optional().describe('the sites; all of them if left out'),
      })
      .prefault({}),
    reply: z.object({
      queued: z.array(z.string()).describe('sites whose scan was queued'),
      already: z.array(z.string()).describe('sites that had one waiting or running'),
    }),
  },
  siteScanGet: {
    method: 'GET',
    path: '/api/sites/:slug/security/scan',
    level: 'read-only',
    summary: "Get a site's scan settings, state and history, newest first",
    params: site,
    reply: z.object({ scan: SiteScan, history: z.array(Scan) }),
  },
  siteScanStart: {
    method: 'POST',
    path: '/api/sites/:slug/security/scan',
    level: 'manage',
    summary: 'Scan a site for malware. It is only read, and keeps serving',
    job: true,
    params: site,
    reply: JobAccepted,
  },
  siteScanSettings: {
    method: 'PUT',
    path: '/api/sites/:slug/security/scan/settings',
    level: 'manage',
    summary: "Change a site's scan settings; what is left out stays as it is, and null follows the fleet",
    params: site,
    body: z.strictObject({
      enabled: z.boolean().nullable().optional().describe('whether schedules scan it; null follows the fleet'),
      onFinding: OnFinding.nullable().optional().describe('what happens to findings; null follows the fleet'),
    }),
    reply: SiteScan,
  },
  findingList: {
    method: 'GET',
    path: '/api/sites/:slug/security/findings',
    level: 'read-only',
    summary: 'List what scans of a site found, most serious first',
    params: site,
    query: z.object({
      status: z
        .enum([...FINDING_STATUSES, 'all'])
        .prefault('open')
        .describe('only these; all for every status'),
    }),
    reply: z.object({ items: z.array(Finding), counts: counts(FINDING_STATUSES) }),
  },
  findingIgnore: {
    method: 'POST',
    path: '/api/sites/:slug/security/findings/:id/ignore',
    level: 'manage',
    summary: 'Ignore a finding until its file changes',
    params: one,
    reply: Finding,
  },
  findingUnignore: {
    method: 'POST',
    path: '/api/sites/:slug/security/findings/:id/unignore',
    level: 'manage',
    summary: 'Open an ignored finding again',
    params: one,
    reply: Finding,
  },
  findingResolve: {
    method: 'POST',
    path: '/api/sites/:slug/security/findings/:id/resolve',
    level: 'manage',
    summary: 'Mark a finding as resolved. A later scan opens it again if it is still there',
    params: one,
    reply: Finding,
  },
  findingReinstall: {
    method: 'POST',
    path: '/api/sites/:slug/security/findings/:id/reinstall',
    level: 'manage',
    summary: 'Download WordPress, the plugin or the theme again at its version, replace its files, then scan again',
    job: true,
    destructive: true,
    params: one,
    reply: JobAccepted,
  },
  findingPutBack: {
    method: 'POST',
    path: '/api/sites/:slug/security/findings/:id/put-back',
    level: 'manage',
    summary: "Write the panel's own file again, then scan again. The site must be running",
    job: true,
    destructive: true,
    params: one,
    reply: JobAccepted,
  },
  findingQuarantine: {
    method: 'POST',
    path: '/api/sites/:slug/security/findings/:id/quarantine',
    level: 'manage',
    summary: 'Move the file of a finding out of the site. It can be restored',
    destructive: true,
    params: one,
    reply: QuarantineItem,
  },
  quarantineList: {
    method: 'GET',
    path: '/api/sites/:slug/security/quarantine',
    level: 'read-only',
    summary: 'List the files that were moved out of a site, newest first',
    params: site,
    reply: z.object({ items: z.array(QuarantineItem) }),
  },
  quarantineRestore: {
    method: 'POST',
    path: '/api/sites/:slug/security/quarantine/:id/restore',
    level: 'manage',
    summary: 'Restore a file to where it was, with its mode, owner and time. Its findings become ignored',
    destructive: true,
    params: one,
    reply: QuarantineItem,
  },
  quarantineDelete: {
    method: 'DELETE',
    path: '/api/sites/:slug/security/quarantine/:id',
    level: 'manage',
    summary: 'Delete a file in quarantine permanently',
    destructive: true,
    params: one,
    reply: QuarantineItem,
  },
})
