declare module '#platform/db/tables.ts' {
  interface Tables {
    setting: SettingTable
  }
}

/** What was changed from the defaults, one row per section. */
export interface SettingTable {
  section: string
  value: string
  updated_at: number
}
