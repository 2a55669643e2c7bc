import type { SiteRow } from '#features/sites/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import type { ScriptWork } from '../run-script.ts'
import { findWordpress, listItems } from './inventory-store.ts'
import { readInventory } from './read-inventory.ts'

/** By their folders: one that is a single file has none. */
export interface InstalledOn {
  readonly core: string
  readonly plugins: readonly { readonly slug: string; readonly version: string }[]
  readonly themes: readonly { readonly slug: string; readonly version: string }[]
}

/** What the site says it has; one that is stopped or does not respond is known from when it last did. */
export const installedOn = async (work: ScriptWork, site: SiteRow): Promise<InstalledOn> => {
  const found = site.status === 'running' ? await readNow(work, site) : undefined
  if (found) return found
  const [known, items] = [await findWordpress(work.db, site.slug), await listItems(work.db, site.slug)]
  const ofKind = (kind: 'plugin' | 'theme') => items.filter(item => item.kind === kind).flatMap(folderOf)
  const core = known?.core_version ?? site.wordpress_version ?? ''
  return { core, plugins: ofKind('plugin'), themes: ofKind('theme') }
}

const readNow = async (work: ScriptWork, site: SiteRow): Promise<InstalledOn | undefined> => {
  try {
    const { core, plugins, themes } = await readInventory(work, site)
    return { core: core.version, plugins: plugins.flatMap(folderOf), themes: themes.flatMap(folderOf) }
  } catch (error) {
    work.signal?.throwIfAborted()
    if (error instanceof KnownError) return undefined
    throw error
  }
}

const folderOf = ({ file, version }: { file: string; version: string }) => {
  const [slug = '', ...rest] = file.split('/')
  return rest.length > 0 ? [{ slug, version }] : []
}
