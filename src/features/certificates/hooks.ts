declare module '#platform/events/events.ts' {
  interface Hooks {
    /** A certificate on a server is another one now: what serves visitors there loads it. */
    certificatePushed: { payload: { serverId: number }; answer: void }
  }
}
