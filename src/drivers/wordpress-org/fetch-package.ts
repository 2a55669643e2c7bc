import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { inSequence } from '#platform/sequence/in-sequence.ts'
import { downloadTo } from './download.ts'
import { UnknownPackage } from './errors.ts'
import { WORDPRESS_ORG, type WordpressOrg, withRetries } from './exchange.ts'

/** A release may be replaced under the same name, but not while a fleet is being updated. */
const FRESH_MS = 60 * 60_000
const OF_DIRECTORY = /^\/(?:plugin|theme)\/[A-Za-z0-9._-]+\.zip$/

/** The path of a package that the service has; undefined for one that only its author can give out. */
export const packagePathOf = ({ downloads }: Pick<WordpressOrg, 'downloads'>, url: string): string | undefined => {
  const origin = [downloads, WORDPRESS_ORG.downloads].find(each => url.startsWith(`${each}/`))
  const path = origin === undefined ? '' : url.slice(origin.length).replace(/\?.*$/, '')
  return OF_DIRECTORY.test(path) ? path : undefined
}

interface WantedPackage {
  readonly service: WordpressOrg
  /** From `packagePathOf`. */
  readonly path: string
  readonly cacheDir: string
}

/** The package as a file on the panel's disk; many sites that want the same one get it from one download. */
export const fetchPackage = ({ service, path, cacheDir }: WantedPackage): Promise<string> => {
  const url = `${service.downloads}${path}`
  const folder = `${cacheDir}/packages`
  const kept = `${folder}/${createHash('sha256').update(url).digest('hex')}.zip`
  return inSequence(kept, async () => {
    await mkdir(folder, { recursive: true })
    await removeOld(folder)
    if (await isThere(kept)) return kept
    const part = `${folder}/.part-${randomUUID()}`
    try {
      const found = await withRetries(service, () => downloadTo(service, { url, path: part, algorithm: 'sha256' }))
      if (found === undefined) throw new UnknownPackage(path)
      await rename(part, kept)
      return kept
    } finally {
      await rm(part, { force: true })
    }
  })
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const removeOld = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    const found = await stat(`${folder}/${name}`).catch(() => undefined)
    if (found && found.mtimeMs < Date.now() - FRESH_MS) await rm(`${folder}/${name}`, { force: true })
  }
}
