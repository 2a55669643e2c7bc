declare module '#platform/events/events.ts' {
  interface Hooks {
    /** About once a minute, for every server that answers: features that read something there regularly do it now. */
    serverSampled: { payload: { serverId: number; signal: AbortSignal }; answer: void }
  }
}
