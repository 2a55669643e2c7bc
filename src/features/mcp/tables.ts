import type { Access } from '#platform/contract/level.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    mcp_connection: ConnectionTable
    mcp_confirmation: ConfirmationTable
    mcp_client: ClientTable
    mcp_code: CodeTable
    mcp_token: TokenTable
  }
}

/** An AI app that may use the panel. */
export interface ConnectionTable {
  id: string
  name: string
  access: Access
  allow_dangerous: number
  /** The only sites it may reach, as JSON; null for all. */
  site_slugs: string | null
  /** Of the token it was created with; null for an app that signed in through the browser. */
  token_hash: string | null
  token_start: string | null
  /** What the app called itself when it was last used. */
  client: string | null
  created_at: number
  created_by: string
  /** Who created it, a person or an API key: it ends with them. */
  created_by_admin: string | null
  created_by_key: string | null
  last_used_at: number | null
  last_used_from: string | null
  paused_at: number | null
  revoked_at: number | null
}

/** A destructive call that a person is asked about; it is good for that one call. */
export interface ConfirmationTable {
  id: string
  connection_id: string
  endpoint: string
  /** Of the call: with other arguments it is another one. */
  arguments_hash: string
  /** What would happen, in sentences for people. */
  effect: string
  /** Of the code that was shown in the browser. */
  code_hash: string | null
  /** The person who agreed; null while no one has. */
  approved_by: string | null
  created_at: number
  expires_at: number
  used_at: number | null
}

/** An app that registered itself, to sign in through the browser. */
export interface ClientTable {
  id: string
  name: string
  /** As JSON. */
  redirect_uris: string
  created_at: number
  /** When a person last allowed it something; one that no one ever did is deleted soon. */
  allowed_at: number | null
}

/** What a person allowed on the consent page, until the app comes for it: once, within a minute. */
export interface CodeTable {
  code_hash: string
  client_id: string
  redirect_uri: string
  challenge: string
  /** What was allowed, as JSON. */
  granted: string
  created_by: string
  created_by_admin: string
  expires_at: number
  /** The connection that was created with it; a second use ends it. */
  connection_id: string | null
}

/** Of apps that signed in through the browser. */
export interface TokenTable {
  token_hash: string
  kind: 'access' | 'refresh'
  connection_id: string
  client_id: string
  expires_at: number
  /** A refresh token works once; a second use ends the connection. */
  used_at: number | null
}
