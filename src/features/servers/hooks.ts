import type { Job } from '#platform/contract/job.ts'
import type { Db } from '#platform/db/database.ts'
import type { Host } from '#platform/host/host.ts'

/** What runs on a server next to its sites, as it was just read. */
export interface StackState {
  /** The version of its Docker, null when that does not answer. */
  readonly docker: string | null
  readonly parts: readonly StackPartState[]
  readonly firewall: boolean
}

export interface StackPartState {
  readonly name: string
  readonly state: string
  readonly healthy: boolean
  readonly image: string | null
}

export interface ProvisionRequest {
  readonly serverId: number
  /** Signs in as root once, to give the usual account its rights. */
  readonly rootUser?: 'root' | undefined
  /** The transaction that the job is part of. */
  readonly on?: Db
}

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** How many sites live on each server. */
    sitesPerServer: { payload: Record<string, never>; answer: ReadonlyMap<number, number> }
    /** A server is about to be deleted: every feature deletes what it keeps about it. */
    serverDeleting: { payload: { serverId: number }; answer: void }
    /** A server was deleted: nothing is written about it any more. */
    serverDeleted: { payload: { serverId: number }; answer: void }
    /** Installs the stack on a server, or updates it. One answer. */
    provisionServer: { payload: ProvisionRequest; answer: Job }
    /** What runs on a server now. One answer. */
    stackState: { payload: { host: Host }; answer: StackState }
    /** Changes whenever this panel would set up a server differently. One answer. */
    stackVersion: { payload: Record<string, never>; answer: string }
  }
}
