import { domainToUnicode } from 'node:url'
import { needsCertificate } from '#features/certificates/index.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import type { SiteRow } from '../site-store.ts'
import { wp } from '../wordpress/wp.ts'

type Work = Pick<StepContext, 'hosts' | 'signal' | 'say' | 'output'>

interface Rewriting {
  readonly from: string
  readonly to: string
}

const LIMIT_MS = 25 * 60_000
/** A site whose plugins are broken can still change its name. */
const BARE = ['--skip-plugins', '--skip-themes']
/** Plain, escaped as in JSON, however deep, or encoded as part of another address. */
const SLASHES = String.raw`((?:\\*/|%2F){2})`
const COLON = '(:|%3A)'
/** Neither a longer name, such as shop.com for shop.co, nor another port is the same address. */
const END = String.raw`(?![a-z0-9_-]|\.[a-z0-9]|:[0-9])`

/**
 * WordPress finds itself under another name: every address in its tables is rewritten, serialized data included. May
 * run twice, and back, when also what named the new one before becomes the old one. Its own options come last, since
 * from then on it leads visitors to the new name.
 */
export const rewriteUrls = async (work: Work, site: SiteRow, rewriting: Rewriting): Promise<void> => {
  const options = `${(await wp(work, site, ['db', 'prefix', ...BARE])).stdout.trim()}options`
  const elsewhere = await replaceIn(work, site, rewriting, ['--all-tables', `--skip-tables=${options}`])
  const own = await replaceIn(work, site, rewriting, [options])
  await wp(work, site, ['cache', 'flush', ...BARE])
  work.say(`Rewrote ${elsewhere + own} URLs from ${rewriting.from} to ${rewriting.to}.`)
}

const replaceIn = async (work: Work, site: SiteRow, rewriting: Rewriting, tables: string[]): Promise<number> => {
  let count = 0
  for (const [pattern, replacement] of patternsOf(rewriting)) {
    const how = ['--regex', '--regex-flags=i', '--skip-columns=guid', '--format=count']
    const words = ['search-replace', pattern, replacement, ...tables, ...how, ...BARE]
    const { stdout, stderr } = await wp(work, site, words, { timeoutMs: LIMIT_MS })
    // Tables that it cannot change, since their rows have no key, are named there.
    if (stderr.trim() !== '') work.output('stderr', stderr.trim())
    count += Number(stdout.trim().split('\n').at(-1))
  }
  return count
}

/** With its scheme first, so that what is left has none. */
const patternsOf = ({ from, to }: Rewriting): [pattern: string, replacement: string][] => {
  const spellings = [...new Set([from, domainToUnicode(from)])].map(name => name.replaceAll('.', String.raw`\.`))
  const name = `(?:${spellings.join('|')})`
  const scheme = needsCertificate(to) ? 'https' : 'http'
  return [
    [`https?${COLON}${SLASHES}${name}${END}`, `${scheme}\${1}\${2}${to}`],
    [`${SLASHES}${name}${END}`, `\${1}${to}`],
  ]
}
