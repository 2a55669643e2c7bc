import { readdir, rm, stat } from 'node:fs/promises'
import type { Scope } from '#platform/scope.ts'
import { listPlugins } from './catalog-store.ts'
import { isInstallable } from './check-record.ts'
import { zipsFolder } from './zip-files.ts'
import { deleteZip, listZips } from './zip-store.ts'

/** A zip that is arriving now has no row yet. */
const ARRIVING_MS = 3_600_000

/** Deletes versions that no site has any more and that a newer one replaces, and files that no version refers to. */
export const tidyZips = async (scope: Scope): Promise<string> => {
  const uses = (await scope.events.raise(scope, 'pluginUses', {})).flat()
  const zips = await listZips(scope.db)
  let deleted = 0
  for (const { id, slug } of await listPlugins(scope.db)) {
    const own = zips.filter(({ plugin_id }) => plugin_id === id)
    const newest = own.findIndex(isInstallable)
    const replaced = newest === -1 ? [] : own.slice(newest + 1)
    const isUsed = (version: string) => uses.some(use => use.folder === slug && use.version === version)
    for (const zip of replaced.filter(({ version }) => !isUsed(version))) {
      await deleteZip(scope.db, zip.id)
      deleted += 1
    }
  }
  await removeUnknownFiles(scope)
  return `Deleted ${deleted} plugin zips that no site has any more.`
}

const removeUnknownFiles = async ({ db, installation, now }: Scope): Promise<void> => {
  const folder = zipsFolder(installation)
  const known = new Set((await listZips(db)).map(({ sha256 }) => `${sha256}.zip`))
  for (const name of await readdir(folder).catch(() => [])) {
    if (known.has(name)) continue
    const found = await stat(`${folder}/${name}`).catch(() => undefined)
    if (found && found.mtimeMs < now() - ARRIVING_MS) await rm(`${folder}/${name}`, { force: true })
  }
}
