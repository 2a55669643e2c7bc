import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { type CoreArchive, keepCore } from './core-cache.ts'
import { fetchStudioPackage, type PackageCache, STUDIO } from './npm-package.ts'

/** WordPress as an npm package carries it, in the same form as the service's own archives. */
export const fetchOfflineCore = async (cache: PackageCache, locale: string): Promise<CoreArchive> => {
  const source = await fetchStudioPackage(cache)
  return keepCore(cache.cacheDir, { version: STUDIO.coreVersion, locale }, path => repack(source, path, locale))
}

const repack = async (source: string, target: string, locale: string): Promise<void> => {
  const packed = pack()
  const written = pipeline(packed, createGzip({ level: 3 }), createWriteStream(target, { mode: 0o644 }))
  const entries = extract()
  const read = pipeline(createReadStream(source), createGunzip(), entries)
  // Both are awaited at the end, and whichever fails first ends the loop.
  for (const half of [read, written]) half.catch(error => entries.destroy(error as Error))
  for await (const entry of entries) {
    const name = nameInCore(entry.header.name, locale)
    if (name === undefined || entry.header.type !== 'file') {
      entry.resume()
      continue
    }
    const header = { name, size: entry.header.size ?? 0, mode: 0o644, mtime: new Date(0) }
    await pipeline(entry, packed.entry(header))
  }
  packed.finalize()
  await Promise.all([read, written])
}

const nameInCore = (name: string, locale: string): string | undefined => {
  if (name.startsWith(STUDIO.core)) return `wordpress/${name.slice(STUDIO.core.length)}`
  if (!isTranslation(name, locale)) return undefined
  return `wordpress/wp-content/languages/${name.slice(STUDIO.languages.length)}`
}

/** Such as `de_DE.l10n.php`, `admin-de_DE.l10n.php` and `de_DE-<hash>.json`. */
const isTranslation = (name: string, locale: string): boolean => {
  if (!name.startsWith(STUDIO.languages)) return false
  const file = `-${name.slice(name.lastIndexOf('/') + 1)}`
  return file.includes(`-${locale}.`) || file.includes(`-${locale}-`)
}
