import { z } from 'zod'
import { UnknownCore, WordpressOrgUnreachable } from './errors.ts'
import { readText, type WordpressOrg } from './exchange.ts'

const VERSION = /^\d{1,3}\.\d{1,3}(\.\d{1,3})?(-(alpha|beta|RC)\d{0,3})?$/
const LOCALE = /^[a-z]{2,3}(_[A-Za-z0-9]{2,10}){0,2}$/

export interface Release {
  readonly version: string
  readonly locale: string
}

/** Both become part of addresses and file names. */
export const checkRelease = ({ version, locale }: Release): void => {
  if (!VERSION.test(version) || !LOCALE.test(locale)) throw new UnknownCore(version.slice(0, 40), locale.slice(0, 40))
}

/** Below zero when `a` is older. A version without a suffix is newer than its own candidates. */
export const compareVersions = (a: string, b: string): number => {
  const [numbers, otherNumbers] = [a, b].map(version => (version.split('-')[0] ?? '').split('.').map(Number))
  for (const index of [0, 1, 2]) {
    const difference = (numbers?.[index] ?? 0) - (otherNumbers?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return Number(b.includes('-')) - Number(a.includes('-'))
}

const Offers = z.object({ offers: z.array(z.object({ version: z.string().regex(VERSION) })).min(1) })

export const readLatestVersion = async (service: WordpressOrg, locale: string): Promise<string> => {
  const url = `${service.api}/core/version-check/1.7/?${new URLSearchParams({ locale }).toString()}`
  const { offers } = parse(url, Offers, await readText(service, url))
  return offers.map(({ version }) => version).toSorted((a, b) => compareVersions(b, a))[0] ?? ''
}

const States = z.record(z.string().regex(VERSION), z.enum(['latest', 'outdated', 'insecure']))
export type ReleaseState = z.output<typeof States>[string]

/** Every release there has been, and whether it is still safe to use. */
export const listVersions = async (service: WordpressOrg): Promise<ReadonlyMap<string, ReleaseState>> => {
  const url = `${service.api}/core/stable-check/1.0/`
  return new Map(Object.entries(parse(url, States, await readText(service, url))))
}

const Checksums = z.object({ checksums: z.union([z.literal(false), z.record(z.string(), z.string().length(32))]) })

/** The MD5 of each file of a release, by its path. */
export const readChecksums = async (service: WordpressOrg, release: Release): Promise<ReadonlyMap<string, string>> => {
  checkRelease(release)
  const { version, locale } = release
  const url = `${service.api}/core/checksums/1.0/?${new URLSearchParams({ version, locale }).toString()}`
  const { checksums } = parse(url, Checksums, await readText(service, url))
  if (checksums === false) throw new UnknownCore(version, locale)
  return new Map(Object.entries(checksums))
}

const parse = <S extends z.ZodType>(url: string, schema: S, text: string | undefined): z.output<S> => {
  const parsed = schema.safeParse(jsonOf(text))
  if (!parsed.success) throw new WordpressOrgUnreachable(url, 'what it answered is not what was asked for')
  return parsed.data
}

const jsonOf = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
