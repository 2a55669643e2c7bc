import type { Actor } from '#platform/access/actor.ts'
import type { ServedEndpoint } from '#platform/contract/endpoint.ts'
import type { Database, Db, Memo } from '#platform/db/database.ts'
import type { Events } from '#platform/events/events.ts'
import type { Health } from '#platform/health/health.ts'
import type { Hosts } from '#platform/host/hosts.ts'
import type { Secret } from '#platform/host/secret.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Log } from '#platform/log/log.ts'
import type { SecretBox } from '#platform/secrets/box.ts'
import type { Settings } from '#platform/settings/settings.ts'

/** Where this panel runs, and as what. */
export interface Installation {
  dataDir: string
  publicUrl: string
  /** Where it listens on this machine. */
  port: number
  /** Name servers for look-ups; those of this machine when empty. */
  dnsServers: readonly string[]
  /** For the DNS provider, while none is stored. */
  dnsToken: Secret | undefined
  version: string
  /** The folder that this copy of Fleetpress lies in. */
  root: string
  startedAt: number
}

/** Everything a handler or a step may use; handed to each, so nothing is reached through globals. */
export interface Scope {
  readonly db: Db
  /** The database as a whole: for copies of it and for telling other processes. */
  readonly database: Database
  readonly jobs: Jobs
  readonly settings: Settings
  readonly secrets: SecretBox
  readonly events: Events
  readonly hosts: Hosts
  readonly actor: Actor
  readonly installation: Installation
  /** Everything this panel serves. */
  readonly endpoints: readonly ServedEndpoint[]
  readonly log: Log
  /** How the panel itself is, at most a second old. */
  health(): Promise<Health>
  /** A named cache of this panel that never shows what the database no longer holds. */
  memo<V>(name: string, maxEntries?: number): Memo<V>
  now(): number
}
