import { getServer, type ServerRow } from '#features/servers/index.ts'
import { getSite } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { FtpEndpoint, FtpLogin, SiteFtp } from './contract.ts'
import type { LoginRow } from './login-store.ts'
import { isSetUp } from './service/apply.ts'
import { FTP_PORT, PASSIVE_PORTS, sftpPortOf } from './service/container.ts'
import { hasFailed } from './service/follow.ts'
import { type Found, lookAtServer, type Status } from './service/status.ts'
import { readWanted, type Wanted } from './service/wanted.ts'

const NOTHING: Found = { isReachable: true, isThere: false, status: undefined }

/** What should be on a server, and what is. */
const compare = async (scope: Scope, serverId: number) => {
  const server = await getServer(scope.db, serverId)
  const wanted = await readWanted(scope.db, serverId)
  const found = (await isSetUp(scope.db, serverId)) ? await lookAtServer(scope.hosts.get(serverId)) : NOTHING
  const enabled = wanted.logins.length > 0
  const service = {
    serverId,
    enabled,
    endpoint: enabled ? endpointOf(scope, server, found.status) : null,
    status: statusOf(enabled, found, hasFailed(scope, serverId)),
  }
  return { server, wanted, found, service }
}

const statusOf = (enabled: boolean, { isReachable, isThere, status }: Found, failed: boolean): SiteFtp['status'] => {
  if (!isReachable) return 'unreachable'
  if (!enabled) return isThere ? 'stopping' : 'off'
  if (status) return 'running'
  return failed ? 'failed' : 'starting'
}

/** Its address as people outside know it. */
const endpointOf = ({ installation }: Scope, server: ServerRow, status: Status | undefined): FtpEndpoint => {
  const { certificate, ...hostKeys } = status?.fingerprints ?? {}
  return {
    host: server.public_ip ?? server.ssh_host ?? new URL(installation.publicUrl).hostname,
    ftpPort: FTP_PORT,
    sftpPort: sftpPortOf(server),
    passivePorts: PASSIVE_PORTS,
    hostKeys: Object.entries(hostKeys).map(([type, fingerprint]) => ({ type, fingerprint })),
    certificateFingerprint: certificate ?? null,
  }
}

const isExpired = ({ expires_at }: LoginRow, now: number): boolean => expires_at !== null && expires_at <= now

const showLogin = (row: LoginRow, now: number, status?: Status): FtpLogin => ({
  id: row.id,
  username: row.username,
  folder: row.folder,
  expiresAt: row.expires_at,
  expired: isExpired(row, now),
  sessions: status?.sessions[row.username] ?? 0,
  createdAt: row.created_at,
  passwordChangedAt: row.password_changed_at,
})

/** One that was just changed has no open session. */
export const showChanged = ({ now }: Pick<Scope, 'now'>, row: LoginRow): FtpLogin => showLogin(row, now())

const isApplied = ({ logins, generation }: Wanted, { isReachable, isThere, status }: Found): boolean =>
  logins.length === 0 ? isReachable && !isThere : status?.generation === generation && status.ending === 0

export const showSiteFtp = async (scope: Scope, slug: string): Promise<SiteFtp> => {
  const { server_id } = await getSite(scope.db, slug)
  const { server, wanted, found, service } = await compare(scope, server_id)
  const own = wanted.logins.filter(({ site_slug }) => site_slug === slug)
  return {
    ...service,
    serverName: server.name,
    applied: isApplied(wanted, found),
    paused: wanted.paused.has(slug),
    users: own.map(row => showLogin(row, scope.now(), found.status)),
  }
}

export const showServerFtp = async (scope: Scope, serverId: number) => {
  const { wanted, service } = await compare(scope, serverId)
  const { logins, paused } = wanted
  const isActive = (row: LoginRow) => !paused.has(row.site_slug) && !isExpired(row, scope.now())
  return {
    ...service,
    sites: new Set(logins.map(({ site_slug }) => site_slug)).size,
    logins: logins.length,
    activeLogins: logins.filter(isActive).length,
  }
}
