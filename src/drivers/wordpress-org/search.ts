import { z } from 'zod'
import { cleanLine } from '#platform/log/clean-line.ts'
import { SLUG } from './directory.ts'
import { parseJson, readText, type WordpressOrg } from './exchange.ts'

const LONGEST_NAME = 200
const LONGEST_ABOUT = 500
const MOST_FOUND = 100

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The directory writes its texts for HTML pages. */
const plainOf = (html: string): string =>
  html.replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name)] ?? whole
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })

/** Where the service has nothing to say it says false, null or an empty list. */
const line = (longest: number) =>
  z.unknown().transform(said => (typeof said === 'string' ? cleanLine(plainOf(said), longest).trim() : ''))
const count = z.unknown().transform(said => (typeof said === 'number' && said >= 0 ? Math.floor(said) : 0))

const FoundPlugin = z
  .object({
    slug: z.string(),
    name: line(LONGEST_NAME),
    version: line(LONGEST_NAME),
    short_description: line(LONGEST_ABOUT),
    active_installs: count,
    requires: line(LONGEST_NAME),
    requires_php: line(LONGEST_NAME),
  })
  .transform(found => ({
    slug: found.slug,
    name: found.name,
    version: found.version,
    description: found.short_description,
    activeInstalls: found.active_installs,
    requiresWordpress: found.requires,
    requiresPhp: found.requires_php,
  }))

const Found = z.object({ info: z.object({ results: count }), plugins: z.array(FoundPlugin).max(MOST_FOUND) })

export interface PluginSearch {
  readonly q: string
  /** From 1. */
  readonly page: number
  readonly perPage: number
}

/** The plugins of the directory that fit, the best first, and how many there are on all pages. */
export const searchPlugins = async (service: WordpressOrg, { q, page, perPage }: PluginSearch) => {
  const asked = new URLSearchParams({
    action: 'query_plugins',
    'request[search]': q,
    'request[page]': String(page),
    'request[per_page]': String(perPage),
  })
  const url = `${service.api}/plugins/info/1.2/?${asked.toString()}`
  const { info, plugins } = parseJson(url, Found, await readText(service, url))
  return { plugins: plugins.filter(({ slug }) => SLUG.test(slug)), total: info.results }
}
