import { HostError } from '#platform/host/errors.ts'
import { inSequence } from '#platform/sequence/in-sequence.ts'
import { compareVersions } from './compare-versions.ts'
import { type CoreArchive, findKept, keepCore } from './core-cache.ts'
import { downloadTo } from './download.ts'
import { UnknownCore, WordpressOrgUnreachable, WrongChecksum } from './errors.ts'
import { readText, WORDPRESS_ORG, type WordpressOrg, withRetries } from './exchange.ts'
import { type PackageCache, STUDIO } from './npm-package.ts'
import { fetchOfflineCore } from './offline-core.ts'
import { checkRelease, type Release, readChecksums, readLatestVersion } from './releases.ts'
import { verifyFiles } from './verify-files.ts'

const ENGLISH = 'en_US'

export interface WantedCore extends PackageCache {
  /** `latest`, or one like 6.8.1. */
  readonly version: string
  readonly locale: string
  readonly service?: Omit<WordpressOrg, 'signal'>
}

/**
 * A verified archive of WordPress on the panel's disk, downloaded once. Where the service cannot be reached, `latest` is
 * the newest there is without it. The answer tells version and locale: where a language has no release, it is English.
 */
export const fetchCore = async (wanted: WantedCore): Promise<CoreArchive> => {
  const { cacheDir, locale, signal } = wanted
  const service = { ...WORDPRESS_ORG, ...wanted.service, signal }
  if (wanted.version !== 'latest') return fetchRelease({ version: wanted.version, locale }, wanted, service)
  const atHand = { version: STUDIO.coreVersion, locale }
  checkRelease(atHand)
  try {
    const version = await readLatestVersion(service, locale)
    return await fetchRelease({ version, locale }, wanted, service)
  } catch (error) {
    if (!(error instanceof WordpressOrgUnreachable)) throw error
    const isNewer = ({ version }: Release) => compareVersions(version, STUDIO.coreVersion) > 0
    const kept = await findKept(cacheDir, archive => archive.locale === locale && isNewer(archive))
    return kept ?? (await fetchRelease(atHand, wanted, undefined))
  }
}

/** Without a service only from what is at hand. */
type Source = WordpressOrg | undefined

const fetchRelease = (release: Release, cache: PackageCache, service: Source): Promise<CoreArchive> => {
  checkRelease(release)
  const { version, locale } = release
  return inSequence(`${cache.cacheDir} ${version} ${locale}`, async () => {
    const kept = await findKept(cache.cacheDir, found => found.version === version && found.locale === locale)
    return kept ?? (await obtain(release, cache, service))
  })
}

const obtain = async (release: Release, cache: PackageCache, service: Source): Promise<CoreArchive> => {
  const inEnglish = () => fetchRelease({ ...release, locale: ENGLISH }, cache, service)
  const isCarried = release.locale === ENGLISH || STUDIO.locales.includes(release.locale)
  const isPinned = release.version === STUDIO.coreVersion && isCarried
  if (service === undefined) return isPinned ? fetchOfflineCore(cache, release.locale) : inEnglish()
  try {
    // Its SHA-512 is part of this panel, which is more than the service promises of what it has.
    if (isPinned) return await fetchOfflineCore(cache, release.locale)
  } catch (error) {
    // The place it comes from cannot be reached; the service may be.
    if (!(error instanceof HostError)) throw error
  }
  try {
    return await download(service, release, cache.cacheDir)
  } catch (error) {
    if (error instanceof UnknownCore && release.locale !== ENGLISH) return inEnglish()
    throw error
  }
}

const download = async (service: WordpressOrg, release: Release, cacheDir: string): Promise<CoreArchive> => {
  const { version, locale } = release
  const folder = locale === ENGLISH ? '' : `${locale}/`
  const url = `${service.downloads}/release/${folder}wordpress-${version}.tar.gz`
  const expected = await readPromise(service, url, release)
  const files = await withRetries(service, () => readChecksums(service, release))
  return keepCore(cacheDir, release, async path => {
    const found = await withRetries(service, () => downloadTo(service, { url, path, algorithm: 'sha1' }))
    if (found === undefined) throw new UnknownCore(version, locale)
    if (found !== expected) throw new WrongChecksum(`WordPress ${version} from the service`, expected, found)
    await verifyFiles(path, files)
  })
}

/** The SHA-1 that the service tells of the archive. */
const readPromise = async (service: WordpressOrg, url: string, { version, locale }: Release): Promise<string> => {
  const text = await withRetries(service, () => readText(service, `${url}.sha1`))
  if (text === undefined) throw new UnknownCore(version, locale)
  const expected = text.trim().toLowerCase()
  if (!/^[0-9a-f]{40}$/.test(expected)) throw new WordpressOrgUnreachable(url, 'it did not return a checksum')
  return expected
}
