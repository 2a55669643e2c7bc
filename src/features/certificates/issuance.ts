import type { DnsChallenge } from '#drivers/acme/order.ts'
import type { Host } from '#platform/host/host.ts'
import type { Scope } from '#platform/scope.ts'

/** What certificates need of the scope that handlers and steps have. */
export interface CertificateScope extends Pick<Scope, 'db' | 'secrets' | 'log' | 'now'> {
  readonly hosts: { get(serverId: number): Host }
}

/** Who issues the certificates of one server, and where they go. */
export interface Issuance {
  serverId: number
  directoryUrl: string
  /** Where the authority writes to. */
  email: string | null
  /** The folder on the server that holds everything of the panel. */
  rootDir: string
  /** Makes the server's edge load what was pushed. */
  reload(): Promise<void>
  /** Undefined when no one can prove names by DNS. */
  dnsChallenge?(signal: AbortSignal): Promise<DnsChallenge | undefined>
  signal: AbortSignal
  fetch?: typeof fetch | undefined
}
