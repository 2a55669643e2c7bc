/** What features above know about the security of sites. Whatever no one says counts as nothing. */
export interface SecurityNumbers {
  /** By slug. */
  readonly findings?: ReadonlyMap<
    string,
    { readonly open: number; readonly confirmed: number; readonly lastScanAt: number | null }
  >
  /** How many addresses are blocked now. */
  readonly activeBlocks?: number
}

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** The security of the fleet is being shown: what do scans and blocked addresses add? */
    securityNumbers: { payload: Record<string, never>; answer: SecurityNumbers }
    /** A person wants every server to be as the panel says, now: what else is loaded there? */
    securitySyncing: { payload: { serverIds: readonly number[] }; answer: void }
  }
}
