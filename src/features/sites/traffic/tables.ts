/** What the visitors of a site asked for during a step that begins at `at`. A step without a request has no row. */
export interface SiteTrafficTable {
  site_slug: string
  step_minutes: number
  at: number
  requests: number
  bytes: number
  status_1xx: number
  status_2xx: number
  status_3xx: number
  status_4xx: number
  status_5xx: number
  cache_hits: number
}

/** The paths that were asked for most in an hour. */
export interface SiteTrafficPathTable {
  site_slug: string
  /** The start of the hour. */
  at: number
  path: string
  requests: number
  bytes: number
}

/** How far the log of a server's edge has been counted. */
export interface EdgeLogTable {
  server_id: number
  /** A JSON object: bytes by file. */
  positions: string
}
