import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'

/** Crawlers whose operators say under which names their machines are found. */
const CRAWLERS: readonly { name: RegExp; domains: readonly string[] }[] = [
  { name: /Googlebot|GoogleOther|Google-InspectionTool/i, domains: ['googlebot.com', 'google.com'] },
  { name: /bingbot|msnbot/i, domains: ['search.msn.com'] },
  { name: /YandexBot|YandexImages/i, domains: ['yandex.com', 'yandex.net', 'yandex.ru'] },
  { name: /Applebot/i, domains: ['applebot.apple.com'] },
  { name: /Baiduspider/i, domains: ['crawl.baidu.com', 'crawl.baidu.jp'] },
  { name: /PetalBot/i, domains: ['petalsearch.com'] },
]

const TIMEOUT_MS = 2_000

export interface Visitor {
  readonly address: string
  readonly userAgent: string
}

/**
 * The name of a crawler that is what it says: its address leads to a name of its operator, and that name back to the
 * address. Anyone can send its user agent, so nothing else counts.
 */
export const verifiedCrawler = async (
  { address, userAgent }: Visitor,
  dnsServers: readonly string[],
): Promise<string | undefined> => {
  const claimed = CRAWLERS.find(({ name }) => name.test(userAgent))
  if (!claimed) return undefined
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const names = await resolver.reverse(address).catch(() => [])
  const theirs = names.filter(name => claimed.domains.some(domain => name.toLowerCase().endsWith(`.${domain}`)))
  for (const name of theirs) {
    const back = await (isIPv4(address) ? resolver.resolve4(name) : resolver.resolve6(name)).catch(() => [])
    if (back.some(found => sameAddress(found, address))) return name
  }
  return undefined
}

const sameAddress = (a: string, b: string): boolean => new URL(urlOf(a)).hostname === new URL(urlOf(b)).hostname

const urlOf = (address: string): string => (isIPv4(address) ? `http://${address}` : `http://[${address}]`)
