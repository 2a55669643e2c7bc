import type { DkimKey, DnsRecord } from '../domains/contract.ts'
import type { KeyRow } from './key-store.ts'

const DAY_MS = 86_400_000
/** Mail that was signed with it may still be on its way, or be checked again. */
export const KEEP_RETIRED_MS = 7 * DAY_MS

export const recordOf = ({ domain, selector, public_key }: KeyRow): DnsRecord => ({
  name: `${selector}._domainkey.${domain}`,
  type: 'TXT',
  content: `v=DKIM1; k=rsa; p=${public_key}`,
})

export const showKey = (row: KeyRow): DkimKey => ({
  domain: row.domain,
  selector: row.selector,
  state: row.state,
  record: recordOf(row),
  createdAt: row.created_at,
  deletedAfter: row.retired_at === null ? null : row.retired_at + KEEP_RETIRED_MS,
})
