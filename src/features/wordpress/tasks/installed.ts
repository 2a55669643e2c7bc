import type { SiteRow } from '#features/sites/index.ts'
import { KnownError } from '#platform/contract/known-error.ts'
import { findWordpress, listItems } from '../inventory/inventory-store.ts'
import { type InventoryItem, readInventory } from '../inventory/read-inventory.ts'
import type { ScriptWork } from '../run-script.ts'
import type { WordpressItemTable } from '../tables.ts'
import type { Installed } from './plan.ts'

interface Found extends Installed {
  /** Whether it is in maintenance mode, when it says. */
  readonly maintenance?: boolean | undefined
}

/** As the site says now. One that does not start is known from when it last did. */
export const installedOf = async (work: ScriptWork, site: SiteRow): Promise<Found> => {
  try {
    const { php, core, coreUpdate, plugins, themes, maintenance } = await readInventory(work, site)
    return { php, core: core.version, coreUpdate, locale: site.locale, plugins, themes, maintenance }
  } catch (error) {
    const known = await findWordpress(work.db, site.slug)
    if (!known || !(error instanceof KnownError)) throw error
    const rows = await listItems(work.db, site.slug)
    const ofKind = (kind: WordpressItemTable['kind']) => rows.filter(row => row.kind === kind).map(itemOf)
    return {
      php: known.php,
      core: known.core_version,
      coreUpdate: known.core_update,
      locale: site.locale,
      plugins: ofKind('plugin'),
      themes: ofKind('theme'),
    }
  }
}

/** Where its updates are is not kept; the panel asks WordPress.org. */
const itemOf = ({ file, name, title, version, status, auto_update }: WordpressItemTable): InventoryItem => ({
  file,
  name,
  title,
  version,
  status,
  autoUpdate: auto_update === 1,
  update: null,
})
