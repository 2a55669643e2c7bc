import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { Email, SiteSlug } from '#platform/contract/identifiers.ts'

const params = z.object({ slug: SiteSlug })

/** WordPress allows almost anything in a login; it is looked up, never made part of a command. */
const User = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must not hold control characters')
  .describe('a login, an email address or an id')

export const accessEndpoints = contract({
  wpLoginLink: {
    method: 'POST',
    path: '/api/sites/:slug/wp/login-link',
    level: 'manage',
    summary: 'Create a link that signs in to WordPress once, within two minutes',
    params,
    body: z.strictObject({ user: User.optional() }).prefault({}),
    reply: z.object({ url: z.string(), user: z.string(), expiresInSeconds: z.number() }),
  },
  wpResetPassword: {
    method: 'POST',
    path: '/api/sites/:slug/wp/users/reset-password',
    level: 'manage',
    summary: 'Give a WordPress user a new password, shown once; the user is signed out everywhere',
    destructive: true,
    params,
    body: z.strictObject({ user: User }),
    reply: z.object({ user: z.string(), newPassword: z.string() }),
  },
  wpMaintenance: {
    method: 'GET',
    path: '/api/sites/:slug/wp/maintenance',
    level: 'read-only',
    summary: 'Whether a site is in maintenance mode',
    params,
    reply: z.object({ enabled: z.boolean() }),
  },
  wpMaintenanceSet: {
    method: 'PUT',
    path: '/api/sites/:slug/wp/maintenance',
    level: 'manage',
    summary: 'Turn maintenance mode on or off; while it is on, visitors get a notice (503)',
    params,
    body: z.strictObject({ enabled: z.boolean().describe('whether it is on') }),
    reply: z.object({ enabled: z.boolean() }),
  },
  wpTestMail: {
    method: 'POST',
    path: '/api/sites/:slug/wp/test-mail',
    level: 'manage',
    summary: 'Send an email through the mailer of WordPress',
    limit: { requests: 10, windowMs: 60_000 },
    params,
    body: z.strictObject({ to: Email }),
    reply: z.object({ accepted: z.boolean(), detail: z.string() }),
  },
})
