import { isIP } from 'node:net'
import type { Request } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import { SshHost } from '#platform/host/ssh/ssh-host.ts'
import type { Scope } from '#platform/scope.ts'
import { checkServer, failedCheck } from './checks.ts'
import type { Check, servers } from './contract.ts'
import { DEFAULT_BACKUP_ROOT } from './paths.ts'
import { insertServer, type ServerRow } from './server-store.ts'
import { isServerAddress, resolveServerAddress } from './ssh-address.ts'
import { sshPrivateKey } from './ssh-key.ts'

type Asked = Request<(typeof servers)['serverCreate']>['body']
type NewServer = Omit<ServerRow, 'id'>

/** Looks at the machine first. One that cannot be set up is not kept when that was asked for. */
export const registerServer = async (scope: Scope, asked: Asked) => {
  refuseNoServer(asked.sshHost)
  const row = await newRow(scope, asked)
  const { checks, hostKey } = await tryOut(scope, row)
  const failed = failedCheck(checks)
  if (asked.provision && failed) throw cannotProvision(failed, checks)
  return scope.db.transaction().execute(async on => {
    const server = await insertServer(on, { ...row, host_key: hostKey })
    const job = asked.provision ? await scope.events.ask(scope, 'provisionServer', { serverId: server.id, on }) : null
    return { server, checks, job }
  })
}

export const refuseNoServer = (sshHost: string): void => {
  const local = sshHost === 'localhost' || sshHost.endsWith('.localhost')
  if (!local && !(isIP(sshHost) && !isServerAddress(sshHost))) return
  throw new Problem(
    'validation_error',
    "The address points to the panel's own server, which is already server 1, or is not usable. Enter the address of another server.",
    [{ in: 'body', path: 'sshHost', message: 'must be the address of another machine' }],
  )
}

const newRow = async (scope: Scope, asked: Asked): Promise<NewServer> => ({
  name: asked.name,
  ssh_host: asked.sshHost,
  ssh_port: asked.sshPort,
  ssh_user: asked.sshUser,
  host_key: null,
  public_ip: asked.publicIp ?? (await resolveServerAddress(asked.sshHost).catch(() => null)),
  dev_domain: asked.devDomain,
  dns_provider: asked.dnsProvider,
  acme_email: asked.acmeEmail ?? null,
  backup_root: DEFAULT_BACKUP_ROOT,
  status: asked.provision ? 'provisioning' : 'new',
  problem: null,
  sealed_database_password: null,
  stack_version: null,
  last_seen_at: null,
  provisioned_at: null,
  created_at: scope.now(),
  deleted_at: null,
})

/** Its own connection, since the server has no number yet. */
const tryOut = async (scope: Scope, row: NewServer): Promise<{ checks: Check[]; hostKey: string | null }> => {
  let hostKey: string | null = null
  const host = new SshHost({
    name: row.name,
    target: async () => ({
      address: await resolveServerAddress(row.ssh_host ?? ''),
      port: row.ssh_port,
      user: row.ssh_user,
      privateKey: await sshPrivateKey(scope),
      hostKey,
      pin: async shown => {
        hostKey = shown
      },
    }),
  })
  try {
    const checks = await checkServer(scope, { ...row, id: 0 }, host)
    return { checks, hostKey }
  } finally {
    await host.close()
  }
}

const cannotProvision = (failed: Check, checks: Check[]): Problem =>
  new Problem(
    failed.name === 'connection' ? 'bad_gateway' : 'conflict',
    `Couldn't add the server. ${failed.title}: ${failed.message} ${failed.todo ?? ''}`,
    { checks },
  )
