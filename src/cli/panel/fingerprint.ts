import { createHash, type Hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#platform/config/config.ts'

const filesUnder = (root: string, path: string): string[] => {
  const full = join(root, path)
  if (!existsSync(full)) return []
  if (statSync(full).isFile()) return [path]
  return readdirSync(full, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? filesUnder(root, join(path, entry.name)) : [join(path, entry.name)],
  )
}

const addFile = (hash: Hash, root: string, path: string): void => {
  const content = readFileSync(join(root, path))
  // The length keeps two files apart from one that holds both.
  hash.update(`${path}\0${content.length}\0`).update(content)
}

/** One hash over the names and contents of all files that lie under the paths and are wanted. */
export const hashFiles = (root: string, paths: string[], isWanted: (path: string) => boolean): string => {
  const hash = createHash('sha256')
  const files = paths.flatMap(path => filesUnder(root, path)).filter(isWanted)
  for (const path of files.toSorted()) addFile(hash, root, path)
  return hash.digest('hex')
}

const isPanelCode = (path: string): boolean =>
  !path.startsWith('src/') ||
  (path.endsWith('.ts') && !path.endsWith('.test.ts') && !/^src\/(?:cli|web|features\/[^/]+\/web)\//.test(path))

/** Everything a running panel was made from: when this changes, `up` restarts it. */
export const panelFingerprint = (root: string, config: Config, webStamp: string): string =>
  createHash('sha256')
    .update(hashFiles(root, ['src', 'images', 'package-lock.json'], isPanelCode))
    .update(JSON.stringify(config))
    .update(webStamp)
    .digest('hex')
