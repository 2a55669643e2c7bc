import type { EdgeSettings } from '#drivers/nginx/edge-settings.ts'

/** Whose edge is being written. */
export interface EdgeAsked {
  readonly serverId: number
  readonly settings: EdgeSettings
}

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** How many sites live on each server. */
    sitesPerServer: { payload: Record<string, never>; answer: ReadonlyMap<number, number> }
    /** The edge of a server is being written: what should it serve? Files by their path, such as sites/hello.conf. */
    edgeFiles: { payload: EdgeAsked; answer: Readonly<Record<string, string>> }
    /** About once a minute, for every server that answers: whoever reads something there regularly does it now. */
    serverSampled: { payload: { serverId: number; signal: AbortSignal }; answer: void }
    /** A server is about to be forgotten; whoever keeps something about it lets go. */
    serverDeleting: { payload: { serverId: number }; answer: void }
  }
}
