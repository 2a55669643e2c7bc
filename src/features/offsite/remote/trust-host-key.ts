import { HostError } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { showHostKey } from '#platform/host/ssh/show-host-key.ts'
import type { Scope } from '#platform/scope.ts'
import { type DestinationRow, getDestination, replaceConfig } from '../destinations/destination-store.ts'
import type { Access } from '../providers/contract.ts'

type SftpConfig = Extract<Access, { provider: 'sftp' }>['config']

/** As rclone prefers them: it compares only the key of the kind that it agrees on with the server. */
const KINDS = [
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-ed25519',
] as const

/** An SFTP server did not show its key at the first contact. */
export class HostKeyUnknown extends HostError {
  readonly code = 'storage_unreachable'

  constructor({ host, port = 22 }: SftpConfig, cause: unknown) {
    super(`The SFTP server at ${host}, port ${port}, can't be reached. Check its address, and whether it is online`, {
      cause,
    })
  }

  override get isPassing(): boolean {
    return true
  }
}

const readHostKey = async (host: Host, config: SftpConfig): Promise<string> => {
  try {
    return await showHostKey(await host.dial({ host: config.host, port: config.port ?? 22 }), KINDS)
  } catch (error) {
    if (error instanceof HostError && error.code === 'host_unreachable') throw error
    throw new HostKeyUnknown(config, error)
  }
}

/** The key that is trusted, or else the one that a server sees now; nothing is recorded. */
export const withHostKey = async (
  { hosts }: Pick<Scope, 'hosts'>,
  serverId: number,
  access: Access,
): Promise<Access> => {
  if (access.provider !== 'sftp' || access.config.hostKey !== undefined) return access
  const hostKey = await readHostKey(hosts.get(serverId), access.config)
  return { ...access, config: { ...access.config, hostKey } }
}

/** Records the key of the first contact with an SFTP server. From then on no other one is trusted. */
export const trustFirst = async (
  scope: Pick<Scope, 'db' | 'hosts'>,
  serverId: number,
  row: DestinationRow,
): Promise<DestinationRow> => {
  if (row.provider !== 'sftp') return row
  const config = JSON.parse(row.config) as SftpConfig
  if (config.hostKey !== undefined) return row
  const hostKey = await readHostKey(scope.hosts.get(serverId), config)
  await replaceConfig(scope.db, row, JSON.stringify({ ...config, hostKey }))
  // Another server may have been first: then its key is the one that counts.
  return trustFirst(scope, serverId, await getDestination(scope.db, row.id))
}
