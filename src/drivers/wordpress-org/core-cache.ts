import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { compareVersions } from './compare-versions.ts'
import type { Release } from './releases.ts'

const KEPT = /^wordpress-([^-]+(?:-\w+)?)-(\w+)-([0-9a-f]{64})\.tar\.gz$/

/** An archive of WordPress on the panel's own disk, all of it below `wordpress/`. */
export interface CoreArchive extends Release {
  readonly path: string
  readonly sha256: string
}

/** Newest first. The name tells the checksum, so a file is either whole and known or not there. */
export const listKept = async (cacheDir: string): Promise<CoreArchive[]> => {
  await mkdir(cacheDir, { recursive: true })
  const kept = (await readdir(cacheDir)).flatMap(name => {
    const [, version, locale, sha256] = KEPT.exec(name) ?? []
    if (version === undefined || locale === undefined || sha256 === undefined) return []
    return [{ version, locale, sha256, path: `${cacheDir}/${name}` }]
  })
  return kept.toSorted((a, b) => compareVersions(b.version, a.version))
}

/** One that was damaged on the disk is removed and not found. */
export const findKept = async (
  cacheDir: string,
  isWanted: (archive: CoreArchive) => boolean,
): Promise<CoreArchive | undefined> => {
  for (const archive of (await listKept(cacheDir)).filter(isWanted)) {
    if ((await sha256Of(archive.path)) === archive.sha256) return archive
    await rm(archive.path, { force: true })
  }
  return undefined
}

/** What `write` puts into a temporary file becomes the archive, unless it throws. */
export const keepCore = async (
  cacheDir: string,
  release: Release,
  write: (path: string) => Promise<void>,
): Promise<CoreArchive> => {
  await mkdir(cacheDir, { recursive: true })
  const beside = `${cacheDir}/.part-${randomUUID()}`
  try {
    await write(beside)
    await sync(beside)
    const sha256 = await sha256Of(beside)
    const path = `${cacheDir}/wordpress-${release.version}-${release.locale}-${sha256}.tar.gz`
    await rename(beside, path)
    return { ...release, path, sha256 }
  } finally {
    await rm(beside, { force: true })
  }
}

const sync = async (path: string): Promise<void> => {
  await using file = await open(path, 'r+')
  await file.sync()
}

const sha256Of = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
