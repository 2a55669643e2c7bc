import { z } from 'zod'
import { compareVersions } from './compare-versions.ts'
import { UnknownCore } from './errors.ts'
import { parseJson, readText, type WordpressOrg } from './exchange.ts'

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

const Offers = z.object({ offers: z.array(z.object({ version: z.string().regex(VERSION) })).min(1) })

export const readLatestVersion = async (service: WordpressOrg, locale: string): Promise<string> => {
  const url = `${service.api}/core/version-check/1.7/?${new URLSearchParams({ locale }).toString()}`
  const { offers } = parseJson(url, Offers, await readText(service, url))
  return offers.map(({ version }) => version).toSorted((a, b) => compareVersions(b, a))[0] ?? ''
}

const States = z.record(z.string().regex(VERSION), z.enum(['latest', 'outdated', 'insecure']))
export type ReleaseState = z.output<typeof States>[string]

/** Every release there has been, and whether it is still safe to use. */
export const listVersions = async (service: WordpressOrg): Promise<ReadonlyMap<string, ReleaseState>> => {
  const url = `${service.api}/core/stable-check/1.0/`
  return new Map(Object.entries(parseJson(url, States, await readText(service, url))))
}

const Checksums = z.object({ checksums: z.union([z.literal(false), z.record(z.string(), z.string().length(32))]) })

/** The MD5 of each file of a release, by its path. */
export const readChecksums = async (service: WordpressOrg, release: Release): Promise<ReadonlyMap<string, string>> => {
  checkRelease(release)
  const { version, locale } = release
  const url = `${service.api}/core/checksums/1.0/?${new URLSearchParams({ version, locale }).toString()}`
  const { checksums } = parseJson(url, Checksums, await readText(service, url))
  if (checksums === false) throw new UnknownCore(version, locale)
  return new Map(Object.entries(checksums))
}
