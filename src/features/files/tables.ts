declare module '#platform/db/tables.ts' {
  interface Tables {
    file_upload: FileUploadTable
  }
}

/** A file that arrives in chunks. */
export interface FileUploadTable {
  site_slug: string
  /** Chosen by the caller. */
  id: string
  path: string
  size_bytes: number
  received_bytes: number
  /** 1 once the file is in its place. */
  is_written: number
  changed_at: number
}
