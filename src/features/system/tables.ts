declare module '#platform/db/tables.ts' {
  interface Tables {
    release_check: ReleaseCheckTable
  }
}

/** One row: what the release feed said when it was last read. */
export interface ReleaseCheckTable {
  id: string
  checked_at: number
  /** The last feed that was signed and not older than one before; null before the first. */
  feed: string | null
  problem: string | null
}
