import type { EdgeSettings } from '#drivers/nginx/edge-settings.ts'

/** Whose edge is being written. */
export interface EdgeAsked {
  readonly serverId: number
  readonly settings: EdgeSettings
}

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** The edge of a server is being written: which visitors does it refuse everything, by address? */
    blockedVisitors: { payload: { serverId: number }; answer: readonly string[] }
    /** The edge of a server is being written: what should it serve? Files by their path, such as sites/hello.conf. */
    edgeFiles: { payload: EdgeAsked; answer: Readonly<Record<string, string>> }
  }
}
