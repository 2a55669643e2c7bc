import type { KeyRow } from '../dkim/key-store.ts'
import { recordOf } from '../dkim/show-key.ts'
import { type Dns, NoAnswer } from './ask-dns.ts'
import type { DnsRecord, MailDomain, RecordCheck } from './contract.ts'
import type { SendingDomain } from './sending-domains.ts'
import { evaluateSpf, isSpf, MOST_LOOKUPS, mergeSpf } from './spf.ts'

interface CheckOptions {
  readonly keys: readonly KeyRow[]
  /** Whether servers deliver themselves. */
  readonly isDirect: boolean
  readonly now: number
}

type Verdict = RecordCheck['verdict']

/** What DNS has at a name. */
interface Found {
  readonly texts: readonly string[]
  /** Null when resolvers say the same. */
  readonly resolvers: readonly string[] | null
}

const NOTHING: Found = { texts: [], resolvers: null }

const checked = (
  verdict: Verdict,
  message: string,
  { texts, resolvers }: Found = NOTHING,
  record: RecordCheck['record'] = null,
): RecordCheck => ({
  verdict,
  message: resolvers === null ? message : `${message} Some resolvers still say something else for a while.`,
  current: [...texts],
  resolvers: resolvers && [...resolvers],
  record,
})

/** The name servers of the domain say what counts, resolvers what others see at the moment. */
const findTexts = async (dns: Dns, name: string, isMeant: (text: string) => boolean): Promise<Found> => {
  const [source, seen] = await Promise.all([dns.textsAtSource(name), dns.texts(name)])
  const [texts, resolvers] = [(source ?? seen).filter(isMeant), seen.filter(isMeant)]
  const isSame = JSON.stringify(texts.toSorted()) === JSON.stringify(resolvers.toSorted())
  return { texts, resolvers: isSame ? null : resolvers }
}

const txt = (name: string, content: string): DnsRecord => ({ name, type: 'TXT', content })

/** SPF, DKIM and DMARC of a domain as DNS has them now. */
export const checkDomain = async (dns: Dns, of: SendingDomain, options: CheckOptions): Promise<MailDomain> => {
  const [spf, dkim, dmarc] = await Promise.all([
    orUnknown(options.isDirect ? checkSpf(dns, of) : checkForeignSpf(dns, of)),
    orUnknown(checkDkim(dns, of, options.keys)),
    orUnknown(checkDmarc(dns, of)),
  ])
  const { domain, siteSlugs, serverIds } = of
  return { domain, siteSlugs: [...siteSlugs], serverIds: [...serverIds], spf, dkim, dmarc, checkedAt: options.now }
}

const orUnknown = (check: Promise<RecordCheck>): Promise<RecordCheck> =>
  check.catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error
    return checked('unknown', error.message)
  })

const SEVERAL = 'There are several SPF records, which count as none. Keep one of them.'

const checkSpf = async (dns: Dns, { domain, addresses }: SendingDomain): Promise<RecordCheck> => {
  const found = await findTexts(dns, domain, isSpf)
  const [current, ...others] = found.texts
  if (others.length > 0) return checked('wrong', SEVERAL, found)
  if (addresses.length === 0) return checked('unknown', 'No server with a public address sends for this domain.', found)
  if (current === undefined)
    return checked('missing', 'There is no SPF record.', found, txt(domain, mergeSpf(undefined, addresses)))
  const { missing, lookups } = await evaluateSpf(dns, domain, current, addresses)
  if (lookups > MOST_LOOKUPS)
    return checked('wrong', `The SPF record needs more than ${MOST_LOOKUPS} lookups. Remove some includes.`, found)
  if (missing.length === 0) return checked('ok', 'The SPF record allows every server that sends.', found)
  const merged = txt(domain, mergeSpf(current, missing))
  return checked('wrong', `The SPF record does not allow ${missing.join(', ')}.`, found, merged)
}

/** Which addresses an SMTP provider sends from, only it knows. */
const checkForeignSpf = async (dns: Dns, { domain }: SendingDomain): Promise<RecordCheck> => {
  const found = await findTexts(dns, domain, isSpf)
  if (found.texts.length > 1) return checked('wrong', SEVERAL, found)
  return found.texts.length === 0
    ? checked('missing', 'There is no SPF record. Your SMTP provider says what to publish.', found)
    : checked('ok', 'There is an SPF record. Check that it includes your SMTP provider.', found)
}

/** Of the key that waits for its record if there is one, otherwise of the one that signs. */
const checkDkim = async (dns: Dns, { domain }: SendingDomain, keys: readonly KeyRow[]): Promise<RecordCheck> => {
  const own = keys.filter(key => key.domain === domain)
  const key = own.find(({ state }) => state === 'next') ?? own.find(({ state }) => state === 'active')
  if (!key) return checked('missing', 'There is no DKIM key yet. Publishing creates one.')
  const record = recordOf(key)
  const found = await findTexts(dns, record.name, () => true)
  if (found.texts.some(text => publicKeyIn(text) === key.public_key))
    return checked('ok', `The record of ${key.selector} is in DNS.`, found)
  return found.texts.length === 0
    ? checked('missing', `The record of ${key.selector} is not in DNS.`, found, record)
    : checked('wrong', `The record of ${key.selector} has another key.`, found, record)
}

const publicKeyIn = (text: string): string | undefined => /(?:^|;)\s*p=([^;]*)/i.exec(text)?.[1]?.replace(/\s+/g, '')

/** A policy of a parent counts for its subdomains. */
const checkDmarc = async (dns: Dns, { domain }: SendingDomain): Promise<RecordCheck> => {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    const found = await findTexts(dns, `_dmarc.${name}`, text => /^v=DMARC1\s*(?:;|$)/i.test(text))
    if (found.texts.length > 1) return checked('wrong', 'There are several DMARC records. Keep one of them.', found)
    if (found.texts.length === 1) return checked('ok', `${name} has a DMARC policy.`, found)
  }
  const record = txt(`_dmarc.${domain}`, 'v=DMARC1; p=none')
  return checked('missing', 'There is no DMARC policy. You decide which one to publish.', NOTHING, record)
}
