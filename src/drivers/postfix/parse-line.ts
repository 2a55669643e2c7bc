/** What a line of Postfix's log says about a message. Texts are as the remote or the sender wrote them. */
export type LogEvent = { readonly at: number; readonly queueId: string } & (
  | { readonly kind: 'recipient'; readonly client: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'subject'
      readonly client: string | null
      readonly subject: string
      readonly from: string
      readonly to: string
    }
  | { readonly kind: 'active'; readonly from: string; readonly sizeBytes: number }
  | {
      readonly kind: 'delivery'
      readonly to: string
      readonly remote: string | null
      readonly outcome: Outcome
      readonly text: string
    }
  | { readonly kind: 'expired' }
  | {
      readonly kind: 'refusal'
      readonly client: string
      readonly text: string
      readonly from: string
      readonly to: string
      readonly whole: boolean
    }
  | { readonly kind: 'notice'; readonly noticeId: string }
  | { readonly kind: 'dropped' | 'canceled' | 'removed' }
)
export type Outcome = 'sent' | 'deferred' | 'bounced'

const LINE = /^([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) \S+ postfix\/(?:\w+\/)?(\w+)\[\d+\]: ([0-9A-Za-z]{6,24}): (.*)$/s
/**
 * A client is `name[address]`, and its name is never looked up, so nothing from elsewhere is in it. Senders and recipients
 * that were let in have no brackets; in what was refused the last ones count.
 */
const RECIPIENT =
  /^info: RCPT from \S+\[([\d.]+)\]: recipient; from=<(.*)> to=<([^<>]*)>(?: proto=\S+)?(?: helo=<[^>]*>)?$/s
const SUBJECT =
  /^info: header Subject:(.*) from (?:\S+\[([\d.]+)\]|local); from=<([^<>]*)>(?: to=<([^<>]*)>)?(?: proto=\S+)?(?: helo=<[^<>]*>)?$/s
const REFUSAL =
  /^(?:milter-)?reject: (\S+) from \S+\[([\d.]+)\]: (.*); from=<(.*)> to=<([^<>]*)>(?: proto=\S+)?(?: helo=<[^>]*>)?$/s
/** What the signer could not read. The header is its own; the reason stands last, and is ours. */
const UNREADABLE =
  /^milter-header-reject: header Authentication-Results: .* from \S+\[([\d.]+)\]; from=<(.*)> to=<([^<>]*)>(?: proto=\S+)?(?: helo=<[^<>]*>)?: ([^<>]*)$/s
const ACTIVE = /^from=<(.*)>, size=(\d{1,12}), nrcpt=\d+ \(queue active\)$/s
const EXPIRED = /^from=<.*>, status=(?:expired|force-expired), returned to sender$/s
const DELIVERY =
  /^to=<([^>]*)>,(?: orig_to=<[^>]*>,)? relay=(\S+), (?:conn_use=\d+, )?delay=[\d.]+, delays=[\d./]+, dsn=[\d.]+, status=(sent|deferred|bounced) \((.*)\)$/s
const NOTICE = /^sender (?:non-delivery|delay) notification: ([0-9A-Za-z]{6,24})$/

/** Undefined for a line that is about no message. `now` gives the year, which the log leaves out. */
export const parseLine = (line: string, now: number): LogEvent | undefined => {
  const [, time, program, queueId, text] = LINE.exec(line) ?? []
  if (time === undefined || program === undefined || queueId === undefined || text === undefined) return undefined
  const at = timeOf(time, now)
  if (Number.isNaN(at) || queueId === 'NOQUEUE') return undefined
  const found = READERS[program]?.(text)
  return found && ({ at, queueId, ...found } as LogEvent)
}

type Found = Record<string, unknown> | undefined

const READERS: Readonly<Record<string, (text: string) => Found>> = {
  smtpd: text => recipientOf(text) ?? refusalOf(text),
  cleanup: text =>
    subjectOf(text) ?? refusalOf(text) ?? (text === 'removed (canceled)' ? { kind: 'canceled' } : undefined),
  qmgr: text =>
    activeOf(text) ?? (EXPIRED.test(text) ? { kind: 'expired' } : text === 'removed' ? { kind: 'removed' } : undefined),
  smtp: text => deliveryOf(text),
  error: text => deliveryOf(text),
  bounce: text => noticeOf(text),
  postsuper: text => (text === 'removed' ? { kind: 'dropped' } : undefined),
}

const recipientOf = (text: string): Found => {
  const [, client, from, to] = RECIPIENT.exec(text) ?? []
  return client === undefined ? undefined : { kind: 'recipient', client, from, to }
}

const subjectOf = (text: string): Found => {
  const [, subject, client = null, from, to] = SUBJECT.exec(text) ?? []
  return to === undefined ? undefined : { kind: 'subject', client, subject: subject?.trim(), from, to }
}

const activeOf = (text: string): Found => {
  const [, from, size] = ACTIVE.exec(text) ?? []
  return from === undefined ? undefined : { kind: 'active', from, sizeBytes: Number(size) }
}

const deliveryOf = (text: string): Found => {
  const [, to, remote, outcome, said] = DELIVERY.exec(text) ?? []
  return to === undefined
    ? undefined
    : { kind: 'delivery', to, remote: remote === 'none' ? null : remote, outcome, text: said }
}

const refusalOf = (text: string): Found => {
  const [, stage, client, said, from, to] = REFUSAL.exec(text) ?? []
  if (stage === undefined) return unreadableOf(text)
  return { kind: 'refusal', client, text: said, from, to, whole: stage === 'END-OF-MESSAGE' }
}

const unreadableOf = (text: string): Found => {
  const [, client, from, to, said] = UNREADABLE.exec(text) ?? []
  return client === undefined ? undefined : { kind: 'refusal', client, text: said, from, to, whole: true }
}

const noticeOf = (text: string): Found => {
  const [, noticeId] = NOTICE.exec(text) ?? []
  return noticeId === undefined ? undefined : { kind: 'notice', noticeId }
}

const DAY_MS = 86_400_000

/** The newest moment of that name which is not in the future; clocks may differ by a day. */
const timeOf = (time: string, now: number): number => {
  const year = new Date(now).getUTCFullYear()
  const at = Date.parse(
    `${time.replace(/^(\w+) +/, '$1 ')} ${year} UTC`.replace(/^(\w+ \d+) (\S+) (\d+) UTC$/, '$1 $3 $2 UTC'),
  )
  return at > now + DAY_MS ? Date.parse(new Date(at).toISOString().replace(String(year), String(year - 1))) : at
}
