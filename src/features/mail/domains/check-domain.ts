import { KnownError } from '#platform/contract/known-error.ts'
import type { MailDomain, RecordCheck } from '../contract.ts'
import type { KeyRow } from '../dkim/key-store.ts'
import { recordOf } from '../dkim/show-key.ts'
import { type Dns, NoAnswer } from './ask-dns.ts'
import type { SendingDomain } from './sending-domains.ts'
import { evaluateSpf, isSpf, MOST_LOOKUPS, mergeSpf } from './spf.ts'

interface CheckOptions {
  readonly keys: readonly KeyRow[]
  /** With a smarthost, other addresses send, which only its provider knows. */
  readonly isDirect: boolean
  readonly now: number
}

const unknown = (message: string): RecordCheck => ({ verdict: 'unknown', message, current: [], record: null })

/** SPF, DKIM and DMARC of a domain as DNS has them now. */
export const checkDomain = async (dns: Dns, of: SendingDomain, options: CheckOptions): Promise<MailDomain> => {
  const [spf, dkim, dmarc] = await Promise.all(
    [checkSpf(dns, of, options.isDirect), checkDkim(dns, of, options.keys), checkDmarc(dns, of)].map(orUnknown),
  )
  const { domain, siteSlugs, serverIds } = of
  const checks = { spf: spf ?? unknown(''), dkim: dkim ?? unknown(''), dmarc: dmarc ?? unknown('') }
  return { domain, siteSlugs: [...siteSlugs], serverIds: [...serverIds], ...checks, checkedAt: options.now }
}

const orUnknown = (check: Promise<RecordCheck>): Promise<RecordCheck> =>
  check.catch((error: unknown) => {
    if (!(error instanceof NoAnswer) && !(error instanceof KnownError)) throw error
    return unknown('DNS did not respond. Check again later.')
  })

const checkSpf = async (dns: Dns, { domain, addresses }: SendingDomain, isDirect: boolean): Promise<RecordCheck> => {
  const found = (await dns.texts(domain)).filter(isSpf)
  const [current] = found
  if (found.length > 1)
    return {
      verdict: 'wrong',
      message: `There are ${found.length} SPF records. Keep one of them.`,
      current: found,
      record: null,
    }
  if (!isDirect)
    return current === undefined
      ? {
          verdict: 'missing',
          message: 'There is no SPF record. Your SMTP provider says what to publish.',
          current: [],
          record: null,
        }
      : {
          verdict: 'ok',
          message: 'There is an SPF record. Check that it includes your SMTP provider.',
          current: found,
          record: null,
        }
  if (addresses.length === 0)
    return { ...unknown('No server with a public address sends for this domain.'), current: found }
  const publish = (content: string) => ({ name: domain, type: 'TXT' as const, content })
  if (current === undefined)
    return {
      verdict: 'missing',
      message: 'There is no SPF record.',
      current: [],
      record: publish(mergeSpf(undefined, addresses)),
    }
  const { missing, lookups } = await evaluateSpf(dns, domain, current, addresses)
  if (lookups > MOST_LOOKUPS)
    return {
      verdict: 'wrong',
      message: `The SPF record needs more than ${MOST_LOOKUPS} lookups. Remove some of its includes.`,
      current: found,
      record: null,
    }
  if (missing.length === 0)
    return { verdict: 'ok', message: 'The SPF record allows every server that sends.', current: found, record: null }
  return {
    verdict: 'wrong',
    message: `The SPF record does not allow ${missing.join(', ')}.`,
    current: found,
    record: publish(mergeSpf(current, missing)),
  }
}

/** Of the key that waits for its record if there is one, otherwise of the one that signs. */
const checkDkim = async (dns: Dns, { domain }: SendingDomain, keys: readonly KeyRow[]): Promise<RecordCheck> => {
  const own = keys.filter(key => key.domain === domain)
  const key = own.find(({ state }) => state === 'next') ?? own.find(({ state }) => state === 'active')
  if (!key)
    return {
      verdict: 'missing',
      message: 'There is no DKIM key yet. Publishing creates one.',
      current: [],
      record: null,
    }
  const record = recordOf(key)
  const current = await dns.texts(record.name)
  if (current.some(text => publicKeyIn(text) === key.public_key))
    return { verdict: 'ok', message: `The record of ${key.selector} is in DNS.`, current, record: null }
  return current.length === 0
    ? { verdict: 'missing', message: `The record of ${key.selector} is not in DNS.`, current, record }
    : { verdict: 'wrong', message: `The record of ${key.selector} has another key.`, current, record }
}

export const publicKeyIn = (text: string): string | undefined =>
  /(?:^|;)\s*p=([^;]*)/i.exec(text)?.[1]?.replace(/\s+/g, '')

/** A policy of a parent counts for its subdomains. */
const checkDmarc = async (dns: Dns, { domain }: SendingDomain): Promise<RecordCheck> => {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const current = (await dns.texts(`_dmarc.${name}`)).filter(text => /^v=DMARC1\s*(?:;|$)/i.test(text))
    if (current.length > 1)
      return { verdict: 'wrong', message: 'There are several DMARC records. Keep one of them.', current, record: null }
    if (current.length === 1) return { verdict: 'ok', message: `${name} has a DMARC policy.`, current, record: null }
  }
  const record = { name: `_dmarc.${domain}`, type: 'TXT' as const, content: 'v=DMARC1; p=none' }
  return {
    verdict: 'missing',
    message: 'There is no DMARC policy. You decide which one to publish.',
    current: [],
    record,
  }
}
