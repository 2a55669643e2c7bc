import type { DnsRecord } from './domains/contract.ts'

/** A record as it should be in DNS. */
export interface WantedRecord extends DnsRecord {
  /** The one record of this name and type that it takes the place of; null when it is added to what is there. */
  readonly replaces: string | null
}

declare module '#platform/events/events.ts' {
  interface Hooks {
    /** Whether the panel can change records of this name itself. */
    canPublishRecords: { payload: { name: string }; answer: boolean }
    /** Records are to be in DNS; throws, and changes nothing, when they can't be. */
    publishRecords: { payload: { records: readonly WantedRecord[] }; answer: void }
  }
}
