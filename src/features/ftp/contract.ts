import { z } from 'zod'
import { contract } from '#platform/contract/endpoint.ts'
import { FtpFolder, FtpPassword, FtpUsername, Id, ServerId, SiteSlug, UnixMs } from '#platform/contract/identifiers.ts'

/** off: no logins. starting, stopping: on the way. failed: tried again every minute. */
export const FTP_STATUSES = ['off', 'starting', 'running', 'stopping', 'failed', 'unreachable'] as const

const ExpiresAt = UnixMs.nullable().describe('refused from then on; null: never expires')

const FtpLogin = z.object({
  id: z.string(),
  username: z.string(),
  folder: z.string().describe('what it sees, relative to the WordPress folder; empty for the whole site'),
  expiresAt: z.number().nullable(),
  expired: z.boolean(),
  sessions: z.number().describe('open connections'),
  createdAt: z.number(),
  passwordChangedAt: z.number(),
})
export type FtpLogin = z.infer<typeof FtpLogin>

const FtpEndpoint = z.object({
  host: z.string(),
  ftpPort: z.number().describe('FTP with explicit TLS; plain FTP is refused'),
  sftpPort: z.number(),
  passivePorts: z.object({ from: z.number(), to: z.number() }).describe('of FTP; a firewall must let them through'),
  hostKeys: z
    .array(z.object({ type: z.string(), fingerprint: z.string() }))
    .describe('of SFTP, as `ssh-keygen -l` shows them; empty until the service has started'),
  certificateFingerprint: z.string().nullable().describe('SHA-256 of the certificate of FTP'),
})
export type FtpEndpoint = z.infer<typeof FtpEndpoint>

const service = {
  serverId: z.number(),
  enabled: z.boolean().describe('whether a site of the server has a login: only then the service runs'),
  endpoint: FtpEndpoint.nullable().describe('where clients connect to; null while not enabled'),
  status: z.enum(FTP_STATUSES).describe('of the service on the server'),
}

const SiteFtp = z.object({
  ...service,
  serverName: z.string(),
  applied: z.boolean().describe('whether the server does what is shown here, and has ended all other sessions'),
  paused: z.boolean().describe('logins are refused while the site is stopped or being moved'),
  users: z.array(FtpLogin),
})
export type SiteFtp = z.infer<typeof SiteFtp>

const params = z.object({ slug: SiteSlug })
const loginParams = z.object({ slug: SiteSlug, id: Id })
const Given = z.object({
  user: FtpLogin,
  password: z.string().nullable().describe('shown only this once; null when you chose it'),
})

export const ftp = contract({
  siteFtp: {
    method: 'GET',
    path: '/api/sites/:slug/ftp',
    level: 'read-only',
    summary: 'List the FTP and SFTP logins of a site, and where they connect to',
    params,
    reply: SiteFtp,
  },
  ftpUserCreate: {
    method: 'POST',
    path: '/api/sites/:slug/ftp/users',
    level: 'manage',
    summary: 'Create an FTP and SFTP login',
    status: 201,
    params,
    body: z.strictObject({
      username: FtpUsername,
      password: FtpPassword.optional(),
      folder: FtpFolder.prefault(''),
      expiresAt: ExpiresAt.optional(),
    }),
    reply: Given,
  },
  ftpUserUpdate: {
    method: 'PATCH',
    path: '/api/sites/:slug/ftp/users/:id',
    level: 'manage',
    summary: "Change the folder or expiry of a login; ends the site's open FTP sessions",
    params: loginParams,
    body: z.strictObject({ folder: FtpFolder.optional(), expiresAt: ExpiresAt.optional() }),
    reply: z.object({ user: FtpLogin }),
  },
  ftpUserPassword: {
    method: 'POST',
    path: '/api/sites/:slug/ftp/users/:id/password',
    level: 'manage',
    summary: 'Give a login a new password; ends its open sessions',
    destructive: true,
    params: loginParams,
    body: z.strictObject({ password: FtpPassword.optional() }).prefault({}),
    reply: Given,
  },
  ftpUserDelete: {
    method: 'DELETE',
    path: '/api/sites/:slug/ftp/users/:id',
    level: 'manage',
    summary: 'Delete a login; ends its open sessions',
    destructive: true,
    params: loginParams,
    reply: z.object({ ok: z.literal(true) }),
  },
  serverFtp: {
    method: 'GET',
    path: '/api/servers/:id/ftp',
    level: 'read-only',
    summary: 'Whether a server serves FTP and SFTP, and for how many logins',
    params: z.object({ id: ServerId }),
    reply: z.object({
      ...service,
      sites: z.number().describe('sites with at least one login'),
      logins: z.number(),
      activeLogins: z.number().describe('logins that are neither expired nor paused'),
    }),
  },
})
