declare module '#platform/db/tables.ts' {
  interface Tables {
    note: NoteTable
  }
}

export interface NoteTable {
  id: string
  site_slug: string
  text: string
  created_at: number
}
