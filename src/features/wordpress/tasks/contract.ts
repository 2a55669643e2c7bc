import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Id, SiteSlug } from '#platform/contract/identifiers.ts'
import { JobAccepted } from '#platform/contract/job.ts'

export const TASK_KINDS = ['plugin', 'theme', 'core'] as const
export const TASK_ACTIONS = ['install', 'activate', 'deactivate', 'update', 'delete'] as const
export const INSTALL_SOURCES = ['wporg', 'catalog'] as const
export const FATES = ['waiting', 'running', 'done', 'rolled-back', 'skipped', 'failed'] as const

/** The folder of a plugin or theme, or the file of a plugin without one. */
export const ItemName = z
  .string()
  .min(1)
  .max(150)
  .regex(/^(?!\.)[^\p{Cc}\p{Cs}/\\]+$/u, 'must be the folder of a plugin or theme')
  .describe('its folder, such as akismet')

const CoreVersion = z
  .string()
  .max(11)
  .regex(/^\d{1,3}\.\d{1,3}(\.\d{1,3})?$/, 'must be a release such as 7.1.1')
  .describe('the newest if absent')

export const TaskOp = z
  .strictObject({
    kind: z.enum(TASK_KINDS),
    slug: ItemName.optional().describe('of the plugin or theme'),
    action: z.enum(TASK_ACTIONS),
    version: CoreVersion.optional().describe('of core'),
    from: z
      .enum(INSTALL_SOURCES)
      .optional()
      .describe('where a plugin is installed from; wporg if absent. Updates take the newest of both'),
  })
  .refine(({ kind, slug }) => (kind === 'core') === (slug === undefined), {
    path: ['slug'],
    error: 'must name the plugin or theme, and be absent for core',
  })
  .refine(({ kind, action }) => kind !== 'core' || action === 'update', {
    path: ['action'],
    error: 'must be update for core',
  })
  .refine(({ kind, action }) => kind !== 'theme' || action !== 'deactivate', {
    path: ['action'],
    error: "can't be deactivate for a theme; activate another one",
  })
  .refine(({ kind, version }) => kind === 'core' || version === undefined, {
    path: ['version'],
    error: 'is for core only',
  })
  .refine(({ kind, action, from }) => from === undefined || (kind === 'plugin' && action === 'install'), {
    path: ['from'],
    error: 'is for installing plugins only',
  })
  .meta({ examples: [{ kind: 'plugin', slug: 'akismet', action: 'update' }] })
export type TaskOp = z.infer<typeof TaskOp>

export const TaskItem = z.object({
  kind: z.enum(TASK_KINDS),
  slug: z.string().describe('core for WordPress itself'),
  action: z.enum(TASK_ACTIONS),
  fate: z.enum(FATES),
  from: z.string().nullable().describe('the version before'),
  to: z.string().nullable().describe('the version that was wanted'),
  reason: z.string().nullable().describe('why it was skipped, rolled back or failed'),
})
export type TaskItem = z.infer<typeof TaskItem>

export const TaskReport = z.strictObject({ items: z.array(TaskItem) })
export type TaskReport = z.infer<typeof TaskReport>

export const MOST_OPS = 100
export const TaskOps = z.array(TaskOp).min(1).max(MOST_OPS).describe('what to change, in this order')
export const HealthCheck = z.boolean().prefault(true).describe('roll back each item that breaks the site')
export const BackupFirst = z.boolean().describe('back the site up before anything is changed')

const params = z.object({ slug: SiteSlug })
const itemParams = z.object({ slug: SiteSlug, name: ItemName })

export const taskEndpoints = contract({
  wpBulk: {
    method: 'POST',
    path: '/api/sites/:slug/wp/bulk',
    level: 'manage',
    summary: 'Change several plugins, themes and core of a site, one after the other',
    job: true,
    destructive: true,
    maxBodyBytes: 128 * 1024,
    params,
    body: z.strictObject({ ops: TaskOps, backupFirst: BackupFirst.prefault(false), healthCheck: HealthCheck }),
    reply: JobAccepted,
  },
  wpPluginInstall: {
    method: 'POST',
    path: '/api/sites/:slug/wp/plugins',
    level: 'manage',
    summary: 'Install a plugin from WordPress.org or from the catalog',
    job: true,
    params,
    body: z.strictObject({
      source: z
        .discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('wporg'), slug: ItemName }),
          z.strictObject({ kind: z.literal('catalog'), id: Id }),
        ])
        .describe('where it comes from'),
      activate: z.boolean().prefault(false).describe('activate it, too'),
    }),
    reply: JobAccepted,
  },
  wpPluginActivate: {
    method: 'POST',
    path: '/api/sites/:slug/wp/plugins/:name/activate',
    level: 'manage',
    summary: 'Activate a plugin; it is deactivated again if it breaks the site',
    job: true,
    params: itemParams,
    reply: JobAccepted,
  },
  wpPluginDeactivate: {
    method: 'POST',
    path: '/api/sites/:slug/wp/plugins/:name/deactivate',
    level: 'manage',
    summary: 'Deactivate a plugin; it is activated again if the site breaks without it',
    job: true,
    params: itemParams,
    reply: JobAccepted,
  },
  wpPluginUpdate: {
    method: 'POST',
    path: '/api/sites/:slug/wp/plugins/:name/update',
    level: 'manage',
    summary: 'Update a plugin; it is rolled back if it breaks the site',
    job: true,
    params: itemParams,
    reply: JobAccepted,
  },
  wpPluginDelete: {
    method: 'DELETE',
    path: '/api/sites/:slug/wp/plugins/:name',
    level: 'manage',
    summary: 'Deactivate, uninstall and delete a plugin',
    job: true,
    destructive: true,
    params: itemParams,
    reply: JobAccepted,
  },
  wpThemeActivate: {
    method: 'POST',
    path: '/api/sites/:slug/wp/themes/:name/activate',
    level: 'manage',
    summary: 'Activate a theme; the previous one is restored if it breaks the site',
    job: true,
    params: itemParams,
    reply: JobAccepted,
  },
  wpThemeUpdate: {
    method: 'POST',
    path: '/api/sites/:slug/wp/themes/:name/update',
    level: 'manage',
    summary: 'Update a theme; it is rolled back if it breaks the site',
    job: true,
    params: itemParams,
    reply: JobAccepted,
  },
  wpThemeDelete: {
    method: 'DELETE',
    path: '/api/sites/:slug/wp/themes/:name',
    level: 'manage',
    summary: 'Delete a theme that is neither active nor the parent of the active one',
    job: true,
    destructive: true,
    params: itemParams,
    reply: JobAccepted,
  },
  wpCoreUpdate: {
    method: 'POST',
    path: '/api/sites/:slug/wp/core-update',
    level: 'manage',
    summary: 'Update WordPress to the newest version, or to any newer one; it is rolled back if the site breaks',
    job: true,
    params,
    body: z.strictObject({ version: CoreVersion.optional() }).prefault({}),
    reply: JobAccepted,
  },
})
