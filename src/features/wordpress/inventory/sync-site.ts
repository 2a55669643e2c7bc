import type { SiteRow } from '#features/sites/index.ts'
import type { Scope } from '#platform/scope.ts'
import type { ScriptWork } from '../run-script.ts'
import { keepInventory } from './inventory-store.ts'
import { type Inventory, readInventory } from './read-inventory.ts'

const REFRESH_TIMEOUT_MS = 55_000

/** Reads a running site and keeps what it says. */
export const syncSite = async (
  work: ScriptWork & Pick<Scope, 'now'>,
  site: SiteRow,
  { refresh = false } = {},
): Promise<Inventory> => {
  const inventory = await readInventory(work, site, refresh ? { refresh, timeoutMs: REFRESH_TIMEOUT_MS } : {})
  await keepInventory(work.db, site.slug, inventory, work.now())
  return inventory
}
