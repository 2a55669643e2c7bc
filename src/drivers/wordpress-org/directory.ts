import { z } from 'zod'
import { UnknownItem } from './errors.ts'
import { parseJson, readText, type WordpressOrg, withRetries } from './exchange.ts'

export type ItemKind = 'plugin' | 'theme'

const LONGEST = 200
const MOST_FILES = 100_000
/** Where the service has nothing to say it says false, null or an empty list. */
const text = z.unknown().transform(value => (typeof value === 'string' ? value.slice(0, LONGEST) : ''))
/** What the directory calls its plugins and themes. */
export const SLUG = /^[a-z0-9][a-z0-9._-]{0,199}$/i

/** A version that can be installed. */
export interface Offer {
  readonly version: string
  /** Where its package is; empty when it cannot be downloaded. */
  readonly packageUrl: string
  readonly requiresPhp: string
  readonly requiresWordpress: string
}

const Info = z
  .object({ version: text, download_link: text, requires_php: text, requires: text })
  .transform(info => offerOf({ ...info, package: info.download_link }))

const Update = z
  .object({ new_version: text, package: text, requires_php: text, requires: text })
  .transform(update => offerOf({ ...update, version: update.new_version }))

interface Said {
  readonly version: string
  readonly package: string
  readonly requires_php: string
  readonly requires: string
}

const offerOf = (said: Said): Offer => ({
  version: said.version,
  packageUrl: said.package,
  requiresPhp: said.requires_php,
  requiresWordpress: said.requires,
})

/** The version that a new site would get. */
export const readInfo = async (service: WordpressOrg, kind: ItemKind, slug: string): Promise<Offer> => {
  if (!SLUG.test(slug)) throw new UnknownItem(kind, slug)
  const asked = new URLSearchParams({ action: `${kind}_information`, 'request[slug]': slug })
  const url = `${service.api}/${kind}s/info/1.2/?${asked.toString()}`
  const found = await withRetries(service, () => readText(service, url))
  if (found === undefined) throw new UnknownItem(kind, slug)
  const info = parseJson(url, z.union([z.object({ error: z.string() }), Info]), found)
  if ('error' in info || info.version === '') throw new UnknownItem(kind, slug)
  return info
}

/** What is installed: for a plugin its file, for a theme its folder. */
export interface Installed {
  readonly key: string
  readonly title: string
  readonly version: string
}

/** The updates that the service has, by key, asked for as WordPress does. */
export const checkUpdates = async (
  service: WordpressOrg,
  kind: ItemKind,
  installed: readonly Installed[],
): Promise<ReadonlyMap<string, Offer>> => {
  if (installed.length === 0) return new Map()
  const list = `${kind}s` as const
  const items = Object.fromEntries(
    installed.map(({ key, title, version }) => [key, { Name: title, Title: title, Version: version }]),
  )
  const url = `${service.api}/${list}/update-check/1.1/`
  const form = { [list]: JSON.stringify({ [list]: items, active: [] }), translations: '[]', locale: '[]' }
  const answer = await withRetries(service, () => readText(service, url, form))
  const said = parseJson(url, z.object({ [list]: emptyList(z.record(z.string(), Update)) }), answer)
  return new Map(Object.entries(said[list] ?? {}))
}

/** PHP writes an empty map as a list. */
const emptyList = <S extends z.ZodType>(schema: S) =>
  z.preprocess(value => (Array.isArray(value) && value.length === 0 ? {} : value), schema)

const sums = z.union([z.string().transform(sum => [sum]), z.array(z.string())])
const Checksums = z.object({
  files: z
    .record(z.string(), z.object({ sha256: sums.optional() }))
    .refine(files => Object.keys(files).length <= MOST_FILES),
})

/** The SHA-256 that each file of a plugin may have, by its path; undefined where none were published. */
export const readPluginChecksums = async (
  service: WordpressOrg,
  slug: string,
  version: string,
): Promise<Readonly<Record<string, readonly string[]>> | undefined> => {
  if (!SLUG.test(slug) || !SLUG.test(version)) return undefined
  const url = `${service.downloads}/plugin-checksums/${slug}/${version}.json`
  const found = await withRetries(service, () => readText(service, url))
  if (found === undefined) return undefined
  const { files } = parseJson(url, Checksums, found)
  return Object.fromEntries(Object.entries(files).map(([path, { sha256 = [] }]) => [path, sha256]))
}
