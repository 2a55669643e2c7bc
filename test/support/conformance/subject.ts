import type { Host } from '#platform/host/host.ts'

/** A host to be tested, with what only its maker can prepare on the machine. */
export interface HostSubject {
  readonly host: Host
  /** An empty folder on the host that any account may enter and only the panel's may write. */
  readonly folder: string
  /** Another account of the host that the panel may become. */
  readonly otherUser: string
  /** Sends every byte back. */
  readonly echoSocket: string
  readonly echoPort: number
  /** Removes the folder and closes the connection. */
  close(): Promise<void>
}

/** The subject exists only once the cases run, not yet when they are declared. */
export type Subject = () => HostSubject
