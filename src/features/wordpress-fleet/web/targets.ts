import type { InventoryRow } from '../contract.ts'

interface Op {
  kind: InventoryRow['kind']
  slug?: string
  action: 'update'
}

/** What to do on each site, so that everything selected is up to date where it has an update. */
export const targetsOf = (rows: readonly InventoryRow[]): { siteSlug: string; ops: Op[] }[] => {
  const targets = new Map<string, Op[]>()
  for (const { kind, slug, sites } of rows)
    for (const { siteSlug, update } of sites) {
      if (update === null) continue
      const op: Op = kind === 'core' ? { kind, action: 'update' } : { kind, slug, action: 'update' }
      targets.set(siteSlug, [...(targets.get(siteSlug) ?? []), op])
    }
  return [...targets].map(([siteSlug, ops]) => ({ siteSlug, ops }))
}
