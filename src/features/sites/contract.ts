import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import {
  DomainName,
  Email,
  Label,
  Locale,
  Notes,
  QueryFlag,
  SearchText,
  ServerId,
  SiteSlug,
  WordpressUser,
} from '#platform/contract/identifiers.ts'
import { Job, JobAccepted } from '#platform/contract/job.ts'
import { domainEndpoints } from './domains/contract.ts'
import { moveEndpoints } from './move/contract.ts'
import { trafficEndpoints } from './traffic/contract.ts'

export const SITE_STATUSES = ['creating', 'running', 'stopped', 'deleting'] as const
export const DOMAIN_MODES = ['dev', 'live'] as const
export const PHP_VERSIONS = ['7.4', '8.2', '8.4'] as const

export const PhpVersion = z.enum(PHP_VERSIONS)
/** Labels look like slugs, so that they can be part of an address. */
const Tag = SiteSlug

export const Site = z.object({
  slug: z.string(),
  title: z.string(),
  status: z.enum(SITE_STATUSES),
  url: z.string().describe('where it answers'),
  hostnames: z.array(z.string()).describe('all it answers to, the primary one first'),
  domainMode: z.enum(DOMAIN_MODES).describe('dev: below the dev domain of its server'),
  serverId: z.number(),
  parkedOn: z.number().nullable().describe('the server it was moved from, which forwards until the move is finished'),
  phpVersion: PhpVersion,
  wordpressVersion: z.string().nullable(),
  locale: z.string(),
  adminUser: z.string(),
  adminEmail: z.string(),
  labels: z.array(z.string()),
  notes: z.string(),
  jobId: z.string().nullable().describe('the job that works on it now'),
  createdAt: z.number(),
})
export type Site = z.infer<typeof Site>

const params = z.object({ slug: SiteSlug })

export const sites = contract({
  siteList: {
    method: 'GET',
    path: '/api/sites',
    level: 'read-only',
    summary: 'List sites by name',
    query: z.object({
      q: SearchText.optional().describe('found in the title, the slug or a host name'),
      serverId: ServerId.optional(),
      status: z.enum(SITE_STATUSES).optional(),
      label: Tag.optional(),
    }),
    reply: z.object({ items: z.array(Site) }),
  },
  siteCreate: {
    method: 'POST',
    path: '/api/sites',
    level: 'manage',
    summary: 'Create a site with its own WordPress',
    job: true,
    body: z.strictObject({
      title: Label,
      slug: SiteSlug,
      domainMode: z.enum(DOMAIN_MODES),
      adminUser: WordpressUser,
      adminEmail: Email,
      serverId: ServerId.prefault(1),
      phpVersion: PhpVersion.prefault('8.4'),
      domains: z.array(DomainName).max(50).prefault([]).describe('for domainMode live, the primary one first'),
      locale: Locale.prefault('en_US'),
    }),
    reply: JobAccepted,
  },
  siteOptions: {
    method: 'GET',
    path: '/api/sites/options',
    level: 'read-only',
    summary: 'What a new site can be made of',
    reply: z.object({
      servers: z.array(
        z.object({ id: z.number(), name: z.string(), devDomain: z.string(), ready: z.boolean(), sites: z.number() }),
      ),
      phpVersions: z.array(z.object({ version: PhpVersion, default: z.boolean() })),
      plugins: z.array(z.unknown()).describe('of the catalog; empty until there is one'),
      recipes: z.array(z.unknown()).describe('empty until there are some'),
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
    summary: 'Change what the panel calls a site, its labels and notes',
    params,
    body: z
      .strictObject({
        title: Label,
        labels: z.array(Tag).max(20),
        notes: Notes,
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
    query: z.object({ finalBackup: QueryFlag.optional().describe('true takes a backup first; needs backups') }),
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
    summary: 'Stop a site; visitors get an error until it is started',
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
    summary: 'Run a site on another version of PHP',
    job: true,
    params,
    body: z.strictObject({ version: PhpVersion }),
    reply: JobAccepted,
  },
  siteReconcile: {
    method: 'POST',
    path: '/api/sites/:slug/reconcile',
    level: 'manage',
    summary: 'Bring a site to the present policy; nothing happens when it is there already',
    job: true,
    params,
    reply: JobAccepted,
  },
  siteReconcileAll: {
    method: 'POST',
    path: '/api/sites/reconcile-all',
    level: 'full',
    summary:
      'Bring every running site, or those of one server, to the present policy; one that has a job already is left out',
    job: 'many',
    body: z.strictObject({ serverId: ServerId.optional() }).prefault({}),
    reply: z.object({ jobs: z.array(Job) }),
  },
  ...domainEndpoints,
  ...moveEndpoints,
  ...trafficEndpoints,
})
