import { KnownError } from '#platform/contract/known-error.ts'

/** The errors of OAuth, which clients tell apart by their code. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'

const STATUS: Partial<Record<OAuthErrorCode, number>> = { invalid_client: 401, temporarily_unavailable: 503 }

/** An answer that is not a success, in the shape OAuth has for it. */
export class OAuthError extends KnownError {
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, description: string) {
    super(description)
    this.code = code
  }

  get status(): number {
    return STATUS[this.code] ?? 400
  }

  toBody(): { error: string; error_description: string } {
    return { error: this.code, error_description: this.message }
  }
}
