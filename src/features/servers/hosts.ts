import { Problem } from '#platform/contract/problem.ts'
import type { Host } from '#platform/host/host.ts'
import type { Hosts } from '#platform/host/hosts.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { SshHost, type SshTarget } from '#platform/host/ssh/ssh-host.ts'
import type { Scope } from '#platform/scope.ts'
import { findServer, pinHostKey } from './server-store.ts'
import { resolveServerAddress } from './ssh-address.ts'
import { sshPrivateKey } from './ssh-key.ts'

export const OWN_SERVER = 1

type HostsScope = Pick<Scope, 'db' | 'secrets' | 'now'>

/** One connection per server, made when first used and kept. */
export const serverHosts = (scope: HostsScope): Hosts => {
  const local: Host = new LocalHost()
  const remote = new Map<number, SshHost>()
  const connect = (id: number) => {
    const host = new SshHost({ name: `server ${id}`, target: () => targetOf(scope, id) })
    remote.set(id, host)
    return host
  }
  const forget = async (id: number) => {
    const host = remote.get(id)
    remote.delete(id)
    await host?.close()
  }
  return {
    get: id => (id === OWN_SERVER ? local : (remote.get(id) ?? connect(id))),
    forget,
    close: async () => {
      await Promise.all([...remote.keys()].map(forget))
    },
  }
}

/** The same server under another account, for work that the usual one may not do. */
export const hostAs = (scope: HostsScope, id: number, user: string): SshHost =>
  new SshHost({ name: `server ${id}`, target: async () => ({ ...(await targetOf(scope, id)), user }) })

const targetOf = async (scope: HostsScope, id: number): Promise<SshTarget> => {
  const row = await findServer(scope.db, id)
  if (!row?.ssh_host) throw new Problem('not_found', `There is no server ${id} to connect to.`)
  return {
    name: row.name,
    address: await resolveServerAddress(row.ssh_host),
    port: row.ssh_port,
    user: row.ssh_user,
    privateKey: await sshPrivateKey(scope),
    hostKey: row.host_key,
    pin: async hostKey => {
      if (!(await pinHostKey(scope.db, id, hostKey))) throw new Error('another host key was pinned in the meantime')
    },
  }
}
