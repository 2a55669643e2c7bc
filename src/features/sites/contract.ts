import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import {
  DomainName,
  Email,
  Id,
  Label,
  Locale,
  Notes,
  QueryFlag,
  SearchText,
  ServerId,
  SiteSlug,
  SiteTag,
  WordpressUser,
} from '#platform/contract/identifiers.ts'
import { Job, JobAccepted } from '#platform/contract/job.ts'
import { domainEndpoints } from './domains/contract.ts'
import { moveEndpoints } from './move/contract.ts'
import { trafficEndpoints } from './traffic/contract.ts'

export const SITE_STATUSES = ['creating', 'running', 'stopped', 'deleting'] as const
export const DOMAIN_MODES = ['dev', 'live'] as const
export const PHP_VERSIONS = ['7.4', '8.2', '8.4'] as const

/** From least to most; what each means belongs to the feature `protection`. */
export const PROTECTION_LEVELS = ['off', 'standard', 'strict'] as const
export type ProtectionLevel = (typeof PROTECTION_LEVELS)[number]

export const PhpVersion = z.enum(PHP_VERSIONS).describe('version of PHP')

export const Site = z.object({
  slug: z.string(),
  title: z.string(),
  status: z.enum(SITE_STATUSES),
  url: z.string().describe('its address'),
  hostnames: z.array(z.string()).describe('all its domains, primary first'),
  domainMode: z.enum(DOMAIN_MODES).describe("dev: under its server's default domain"),
  serverId: z.number(),
  parkedOn: z
    .number()
    .nullable()
    .describe('the server it was moved from, which forwards visitors until the move is finished'),
  phpVersion: PhpVersion,
  wordpressVersion: z.string().nullable(),
  locale: z.string(),
  waitingFor: z.string().nullable().describe('what its own domains wait for before it goes live by itself'),
  adminUser: z.string(),
  adminEmail: z.string(),
  labels: z.array(z.string()),
  notes: z.string(),
  disk: z.object({
    usedBytes: z.number().nullable().describe('of its files; null before they were measured'),
    usedFiles: z.number().nullable().describe('files and folders'),
    limitBytes: z.number().nullable().describe('a site that uses more is stopped; null for no limit'),
    limitFiles: z.number().nullable(),
    ownLimitMiB: z.number().nullable().describe('null for the default in the settings, 0 for no limit'),
    ownLimitFiles: z.number().nullable().describe('null for the default in the settings, 0 for no limit'),
    measuredAt: z.number().nullable(),
    stoppedAt: z.number().nullable().describe('when its server stopped it because it had used too much'),
  }),
  interrupted: z
    .enum(['create', 'move', 'delete'])
    .nullable()
    .describe(
      'what was interrupted and has no running job; reconcile completes a create or a move, delete always works',
    ),
  missing: z
    .enum(['files', 'database', 'all'])
    .nullable()
    .describe('what is gone from its server or was not restored to its end; restore a backup of it'),
  jobId: z.string().nullable().describe('the job running on it'),
  createdAt: z.number(),
})
export type Site = z.infer<typeof Site>

const NewSitePlugin = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  isDefault: z.boolean().describe('selected unless chosen otherwise'),
})
export type NewSitePlugin = z.infer<typeof NewSitePlugin>

const NewSiteRecipe = z.object({
  id: z.string(),
  name: z.string(),
  pluginId: z.string().nullable(),
  ready: z.boolean().describe('whether all its required inputs are set'),
})
export type NewSiteRecipe = z.infer<typeof NewSiteRecipe>

const params = z.object({ slug: SiteSlug })

export const sites = contract({
  siteList: {
    method: 'GET',
    path: '/api/sites',
    level: 'read-only',
    sites: 'kept',
    summary: 'List sites by name',
    query: z.object({
      q: SearchText.optional().describe('searches title, slug and domains'),
      serverId: ServerId.optional(),
      status: z.enum(SITE_STATUSES).optional().describe('only sites in this state'),
      label: SiteTag.optional(),
    }),
    reply: z.object({ items: z.array(Site) }),
  },
  siteCreate: {
    method: 'POST',
    path: '/api/sites',
    level: 'manage',
    sites: 'named',
    summary: 'Create a WordPress site',
    job: true,
    maxBodyBytes: 128 * 1024,
    body: z.strictObject({
      title: Label.describe('title of the site'),
      slug: SiteSlug,
      domainMode: z.enum(DOMAIN_MODES).describe("dev: under the server's default domain, live: its own domains"),
      adminUser: WordpressUser.describe('username of its first admin'),
      adminEmail: Email,
      serverId: ServerId.prefault(1),
      phpVersion: PhpVersion.prefault('8.4'),
      domains: z.array(DomainName).max(50).prefault([]).describe('for domainMode live, primary first'),
      locale: Locale.prefault('en_US'),
      pluginIds: z.array(Id).max(50).optional().describe('plugins of the catalog; its defaults if absent'),
      recipeIds: z.array(Id).max(50).optional().describe('recipes to apply; those of its plugins if absent'),
      protection: z.enum(PROTECTION_LEVELS).optional().describe('what it refuses; the fleet default when left out'),
    }),
    reply: JobAccepted,
  },
  siteOptions: {
    method: 'GET',
    path: '/api/sites/options',
    level: 'read-only',
    sites: 'none',
    summary: 'List the options for a new site',
    reply: z.object({
      servers: z.array(
        z.object({ id: z.number(), name: z.string(), devDomain: z.string(), ready: z.boolean(), sites: z.number() }),
      ),
      phpVersions: z.array(z.object({ version: PhpVersion, default: z.boolean() })),
      plugins: z.array(NewSitePlugin).describe('of the catalog, as far as they can be installed'),
      recipes: z.array(NewSiteRecipe),
      locales: z.array(z.string()),
    }),
  },
  siteGet: {
    method: 'GET',
    path: '/api/sites/:slug',
    level: 'read-only',
    summary: 'Show one site',
    params,
    reply: Site,
  },
  siteUpdate: {
    method: 'PATCH',
    path: '/api/sites/:slug',
    level: 'manage',
    summary: 'Change the title, labels, notes and disk limits of a site',
    params,
    body: z
      .strictObject({
        title: Label.describe('title of the site'),
        labels: z.array(SiteTag).max(20).describe('all its labels'),
        notes: Notes.describe('notes for people, on several lines'),
        diskLimitMiB: z
          .number()
          .int()
          .min(0)
          .max(1_073_741_824)
          .nullable()
          .describe(
            'for its files; 0 for no limit, null for the default in the settings; takes effect within a minute',
          ),
        diskLimitFiles: z
          .number()
          .int()
          .min(0)
          .max(1_000_000_000)
          .nullable()
          .describe('the same for files and folders'),
      })
      .partial(),
    reply: Site,
  },
  siteDelete: {
    method: 'DELETE',
    path: '/api/sites/:slug',
    level: 'full',
    summary: 'Delete a site with its files and database',
    job: true,
    destructive: true,
    params,
    query: z.object({
      finalBackup: QueryFlag.optional().describe('true creates a backup first. Backups of the site stay either way'),
      removeRecords: QueryFlag.optional().describe('true removes the DNS records that the panel created for it'),
    }),
    reply: JobAccepted,
  },
  siteStart: {
    method: 'POST',
    path: '/api/sites/:slug/start',
    level: 'manage',
    summary: 'Start a stopped site',
    job: true,
    params,
    reply: JobAccepted,
  },
  siteStop: {
    method: 'POST',
    path: '/api/sites/:slug/stop',
    level: 'manage',
    summary: 'Stop a site; visitors see an error until it is started',
    job: true,
    destructive: true,
    params,
    reply: JobAccepted,
  },
  siteRestart: {
    method: 'POST',
    path: '/api/sites/:slug/restart',
    level: 'manage',
    summary: 'Restart the container of a site',
    job: true,
    params,
    reply: JobAccepted,
  },
  sitePhp: {
    method: 'PUT',
    path: '/api/sites/:slug/php',
    level: 'manage',
    summary: 'Change the PHP version of a site',
    job: true,
    params,
    body: z.strictObject({ version: PhpVersion }),
    reply: JobAccepted,
  },
  siteReconcile: {
    method: 'POST',
    path: '/api/sites/:slug/reconcile',
    level: 'manage',
    summary:
      'Bring a site in line with the current policy, and finish an interrupted create or move; changes nothing if all is in order',
    job: true,
    params,
    reply: JobAccepted,
  },
  siteReconcileAll: {
    method: 'POST',
    path: '/api/sites/reconcile-all',
    level: 'full',
    summary: 'Reconcile all running sites, or those on one server; sites with a running job are skipped',
    job: 'many',
    body: z.strictObject({ serverId: ServerId.optional() }).prefault({}),
    reply: z.object({ jobs: z.array(Job) }),
  },
  ...domainEndpoints,
  ...moveEndpoints,
  ...trafficEndpoints,
})
