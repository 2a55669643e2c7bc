import type { Host } from './host.ts'

/** The connections of the panel to the machines it looks after. */
export interface Hosts {
  /** Nothing is connected before the host is used; an unknown machine is refused then. */
  get(serverId: number): Host
  /** Ends the connection, so that the next use reads the address, account and key again. */
  forget(serverId: number): Promise<void>
  close(): Promise<void>
}
