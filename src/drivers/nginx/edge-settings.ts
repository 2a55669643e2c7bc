/** What every server block of one edge has in common. Paths are those that nginx sees. */
export interface EdgeSettings {
  readonly httpPort: number
  readonly httpsPort: number
  /** Off where the kernel has no IPv6, since nginx then refuses to start. */
  readonly ipv6: boolean
  /** Off where nginx is older than 1.25.1, which does not know the directive. */
  readonly http2: boolean
  /** The account of the workers; absent where nginx is not started by root. */
  readonly user?: string
  readonly pidFile: string
  /** Bodies of requests and answers that are too large for memory. */
  readonly tempFolder: string
  /** Receives access.json and error.log. */
  readonly logFolder: string
  /** Holds one file per pending HTTP-01 challenge, named by its token. */
  readonly acmeFolder: string
  /** Networks whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  readonly trustedProxies: readonly string[]
  /** The header in which they report it; X-Forwarded-For if absent. */
  readonly proxyHeader?: string
  /** Visitors from these addresses and networks are refused everything. */
  readonly blocked?: readonly string[]
}

/** Paths to PEM files. */
export interface EdgeCertificate {
  readonly chain: string
  readonly key: string
}
