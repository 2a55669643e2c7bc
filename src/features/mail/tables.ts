import type { KEY_STATES } from './domains/contract.ts'
import type { MESSAGE_STATUSES } from './messages/contract.ts'
import type { RelayStatus } from './relay/contract.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    mail_message: MailMessageTable
    mail_word: MailWordTable
    mail_server: MailServerTable
    mail_dkim_key: MailDkimKeyTable
    mail_domain_check: MailDomainCheckTable
  }
}

/** What became of a message for one of its recipients. */
export interface MailMessageTable {
  id: string
  server_id: number
  /** What the relay calls the message. */
  queue_id: string
  /** Null for the panel's own, and for what the relay itself writes. */
  site_slug: string | null
  sender: string
  recipient: string
  subject: string
  size_bytes: number | null
  status: (typeof MESSAGE_STATUSES)[number]
  /** What the other side, or the relay, last said. */
  reason: string
  /** Who took or refused it. */
  remote: string | null
  attempts: number
  /** A JSON list, the oldest first. */
  events: string
  /** What it is found by, each word after a space and before one; null for one that is not in the index of words yet. */
  words: string | null
  created_at: number
  updated_at: number
}

/** The index of words: that some message of a slot has it. */
export interface MailWordTable {
  /** A number made of the beginning of a word. */
  word: number
  /** Fifteen seconds each, since 1970. */
  slot: number
}

type ReverseVerdict = RelayStatus['reverseDns']['verdict']

export interface MailServerTable {
  server_id: number
  /** Null for the default. */
  hostname: string | null
  /** How far its log has been read. A JSON object: bytes by file. */
  positions: string
  read_at: number | null
  /** How many messages waited when it was last read. */
  queued: number | null
  /** How many waited up to an hour before. */
  queued_earlier: number | null
  earlier_at: number | null
  /** What was last found when its address was looked up; null before the first time. */
  reverse_dns: ReverseVerdict | null
  reverse_checked_at: number | null
}

export interface MailDkimKeyTable {
  domain: string
  selector: string
  /** `next` signs once DNS has it; `retired` stays so that what it signed can be checked. */
  state: (typeof KEY_STATES)[number]
  /** Base64, as it stands in DNS. */
  public_key: string
  sealed_private_key: string
  created_at: number
  retired_at: number | null
}

/** What DNS said when a domain was last checked by someone or at night. */
export interface MailDomainCheckTable {
  domain: string
  /** A JSON object: verdicts by record. */
  verdicts: string
  checked_at: number
}
