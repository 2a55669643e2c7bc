import { compareVersions } from '#drivers/wordpress-org/compare-versions.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { Db } from '#platform/db/database.ts'
import { getPlugin, listPlugins, type PluginRow } from './catalog-store.ts'
import { isInstallable } from './check-record.ts'
import { listZips, type ZipRow } from './zip-store.ts'

/** A version that the catalog gives to sites. */
export interface CatalogOffer {
  readonly version: string
  readonly sha256: string
  readonly requiresPhp: string
  readonly requiresWordpress: string
}

const offerOf = (zip: ZipRow): CatalogOffer => ({
  version: zip.version,
  sha256: zip.sha256,
  requiresPhp: zip.requires_php,
  requiresWordpress: zip.requires_wordpress,
})

/** What the catalog has for each folder, newest that may be installed. */
export const catalogOffers = async (db: Db): Promise<ReadonlyMap<string, CatalogOffer>> => {
  const plugins = (await listPlugins(db)).filter(({ kind }) => kind === 'zip')
  if (plugins.length === 0) return new Map()
  const zips = (await listZips(db)).filter(isInstallable)
  return new Map(
    plugins.flatMap(({ id, slug }) => {
      const zip = zips.find(({ plugin_id }) => plugin_id === id)
      return zip ? [[slug, offerOf(zip)] as const] : []
    }),
  )
}

/** The update that the catalog has for a plugin of a site, next to what the site knows itself. */
export type FindUpdate = (folder: string, version: string, known: string | null) => CatalogOffer | undefined

/** Matched whenever something is shown, so a new zip is an update at once. */
export const catalogUpdates = async (db: Db): Promise<FindUpdate> => {
  const offers = await catalogOffers(db)
  return (folder, version, known) => {
    const offer = offers.get(folder)
    if (offer === undefined || compareVersions(offer.version, version) <= 0) return undefined
    return known !== null && compareVersions(known, offer.version) > 0 ? undefined : offer
  }
}

/** A plugin of the catalog that sites may get now. */
export const getInstallable = async (db: Db, id: string): Promise<PluginRow> => {
  const plugin = await getPlugin(db, id)
  if (plugin.kind === 'wporg' || (await listZips(db, id)).some(isInstallable)) return plugin
  throw new Problem('conflict', `${plugin.name} can't be installed yet. Look at the check of its zip first.`, {
    pluginId: id,
  })
}
