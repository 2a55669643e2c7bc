import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTurn } from '#platform/turn/in-turn.ts'
import { type CoreArchive, findKept, keepCore } from './core-cache.ts'
import { UnknownCore, WordpressOrgUnreachable, WrongChecksum } from './errors.ts'
import { readBody, readText, WORDPRESS_ORG, type WordpressOrg } from './exchange.ts'
import { type PackagePlace, STUDIO } from './npm-package.ts'
import { fetchOfflineCore } from './offline-core.ts'
import { checkRelease, compareVersions, type Release, readLatestVersion } from './releases.ts'

const TRIES = 3
const RETRY_DELAY_MS = 500
const DOWNLOAD_MS = 10 * 60_000
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024
/** As the service names them, the better one first. */
const CHECKSUMS = ['sha1', 'md5'] as const
const ENGLISH = 'en_US'

export interface WantedCore extends PackagePlace {
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

const fetchRelease = (release: Release, place: PackagePlace, service: Source): Promise<CoreArchive> => {
  checkRelease(release)
  const { version, locale } = release
  return inTurn(`${place.cacheDir} ${version} ${locale}`, async () => {
    const kept = await findKept(place.cacheDir, found => found.version === version && found.locale === locale)
    return kept ?? (await obtain(release, place, service))
  })
}

const obtain = async (release: Release, place: PackagePlace, service: Source): Promise<CoreArchive> => {
  const inEnglish = () => fetchRelease({ ...release, locale: ENGLISH }, place, service)
  try {
    if (service !== undefined) return await download(service, release, place.cacheDir)
  } catch (error) {
    if (error instanceof UnknownCore && release.locale !== ENGLISH) return inEnglish()
    const isAtHand = error instanceof WordpressOrgUnreachable && release.version === STUDIO.coreVersion
    if (!isAtHand) throw error
  }
  const isCarried = release.locale === ENGLISH || STUDIO.locales.includes(release.locale)
  return isCarried ? fetchOfflineCore(place, release.locale) : inEnglish()
}

const download = async (service: WordpressOrg, release: Release, cacheDir: string): Promise<CoreArchive> => {
  const { version, locale } = release
  const folder = locale === ENGLISH ? '' : `${locale}/`
  const url = `${service.downloads}/release/${folder}wordpress-${version}.tar.gz`
  const { kind, expected } = await readPromise(service, url, release)
  return keepCore(cacheDir, release, async path => {
    const found = await patiently(service, () => downloadTo(service, { url, path, kind }))
    if (found === undefined) throw new UnknownCore(version, locale)
    if (found !== expected) throw new WrongChecksum(`WordPress ${version} from the service`, expected, found)
  })
}

/** The checksum that the service tells of the archive. */
const readPromise = async (service: WordpressOrg, url: string, { version, locale }: Release) => {
  for (const kind of CHECKSUMS) {
    const text = await patiently(service, () => readText(service, `${url}.${kind}`))
    if (text === undefined) continue
    const expected = text.trim().toLowerCase()
    const isOne = /^[0-9a-f]+$/.test(expected) && expected.length === (kind === 'sha1' ? 40 : 32)
    if (!isOne) throw new WordpressOrgUnreachable(url, 'what it answered is no checksum')
    return { kind, expected }
  }
  throw new UnknownCore(version, locale)
}

interface Download {
  readonly url: string
  readonly path: string
  readonly kind: (typeof CHECKSUMS)[number]
}

/** The checksum of what came; undefined when the service has no such file. A cut download is begun anew. */
const downloadTo = async (service: WordpressOrg, { url, path, kind }: Download): Promise<string | undefined> => {
  const hash = createHash(kind)
  const file = await open(path, 'w', 0o644)
  try {
    const asked = { url, timeoutMs: DOWNLOAD_MS, maxBytes: MAX_ARCHIVE_BYTES }
    const found = await readBody(service, asked, async chunk => {
      hash.update(chunk)
      await file.writeFile(chunk)
    })
    return found ? hash.digest('hex') : undefined
  } finally {
    await file.close()
  }
}

const patiently = async <T>(service: WordpressOrg, work: () => Promise<T>): Promise<T> => {
  const { retryDelayMs = RETRY_DELAY_MS, signal } = service
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || !(error instanceof WordpressOrgUnreachable)) throw error
      await sleep(retryDelayMs * tries, undefined, { signal }).catch(() => {})
      signal?.throwIfAborted()
    }
  }
}
