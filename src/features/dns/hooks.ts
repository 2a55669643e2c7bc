/** Sites that get another certificate, and those that can't because they have a job. */
export interface RebuiltSites {
  readonly rebuilding: readonly { readonly slug: string; readonly jobId: string }[]
  readonly busy: readonly string[]
}

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** Which names does the panel answer for? A name server can't list its zones, so it is asked about these. */
    namesInUse: { payload: Record<string, never>; answer: readonly string[] }
    /** The wildcard of these servers was switched on or off: sites with the wrong certificate are reconciled. */
    wildcardsChanged: { payload: { serverIds: readonly number[] }; answer: RebuiltSites }
  }
}
