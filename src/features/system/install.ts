import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sizeOfDatabase } from '#platform/db/whole.ts'
import type { Scope } from '#platform/scope.ts'

export type InstallKind = 'release' | 'checkout' | 'copy'

/** Below the folder of an install: every unpacked version, and the link to the one in use. */
export const RELEASES = 'releases'
export const CURRENT = 'current'

/** The link that leads to the version in use, for a copy that lies in `releases/` next to it. */
export const linkOf = (root: string): string => join(dirname(dirname(root)), CURRENT)

const isLinked = (root: string): boolean => {
  const link = linkOf(root)
  return existsSync(link) && lstatSync(link).isSymbolicLink() && realpathSync(link) === realpathSync(root)
}

export const installKind = (root: string): InstallKind => {
  if (existsSync(join(root, '.git'))) return 'checkout'
  return basename(dirname(root)) === RELEASES && isLinked(root) ? 'release' : 'copy'
}

/** Why an install does not update itself, and what to do instead. */
export const whyNotUpdated: Record<InstallKind, string | null> = {
  release: null,
  checkout: 'This install is a git checkout. To update it, run git pull and then ./fleetpress up in its folder.',
  copy: 'This install was not unpacked from a release. To update it, replace its files and run `./fleetpress up`.',
}

export const diskOf = async (folder: string): Promise<{ freeBytes: number; totalBytes: number }> => {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

export const showInstall = async ({ installation, database, now }: Scope) => {
  const { version, root, dataDir, startedAt } = installation
  return {
    version,
    node: process.versions.node,
    install: { kind: installKind(root), folder: root },
    database: { engine: database.engine, sizeBytes: await sizeOfDatabase(database) },
    disk: await diskOf(dataDir),
    startedAt,
    uptimeMs: Math.max(0, now() - startedAt),
  }
}
