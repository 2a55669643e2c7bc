declare module '#platform/db/tables.ts' {
  interface Tables {
    ftp_login: FtpLoginTable
  }
}

/** A name and password for FTP and SFTP that see one folder of a site. */
export interface FtpLoginTable {
  id: string
  site_slug: string
  /** One in the whole fleet, so that a site can move to any server. */
  username: string
  /** A crypt(3) text, as the server checks it. */
  password_hash: string
  folder: string
  expires_at: number | null
  /** Open sessions belong to one revision and end when there is another. */
  revision: number
  created_at: number
  password_changed_at: number
}
