import { KnownError } from '#platform/contract/known-error.ts'

/** The provider said no. Asking the same again gets the same response. */
export class DnsRefused extends KnownError {
  readonly code = 'dns_refused'
}

/** No one responded, or nothing that makes sense; trying again later may help. */
export class DnsUnreachable extends KnownError {
  readonly code = 'dns_unreachable'
}
