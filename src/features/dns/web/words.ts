import { counted } from '#web/kit/counted.ts'
import type { DnsChanged, DnsState } from '../contract.ts'

export const PROVIDER_NAMES: Record<NonNullable<DnsState['provider']>, string> = {
  cloudflare: 'Cloudflare',
  rfc2136: 'Own name server (RFC 2136)',
}

/** What a change means for sites, in a sentence or two. */
export const rebuiltText = ({ rebuilding, busy }: DnsChanged): string => {
  const started =
    rebuilding.length === 0
      ? 'No site needs another certificate.'
      : `${counted(rebuilding.length, 'site')} will get another certificate.`
  return busy.length === 0 ? started : `${started} Busy now, reconcile later: ${busy.join(', ')}.`
}
