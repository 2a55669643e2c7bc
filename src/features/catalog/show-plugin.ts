import type { Scope } from '#platform/scope.ts'
import type { PluginRow } from './catalog-store.ts'
import { isInstallable, showCheck } from './check-record.ts'
import type { CatalogPlugin } from './contract.ts'
import { listCopies } from './copy-store.ts'
import type { PluginUse } from './hooks.ts'
import { listZips, type ZipRow } from './zip-store.ts'

interface Known {
  readonly zips: readonly ZipRow[]
  readonly uses: readonly PluginUse[]
  readonly serversOf: (sha256: string) => number
}

export const showPlugins = async (scope: Scope, rows: readonly PluginRow[]): Promise<CatalogPlugin[]> => {
  const folders = rows.map(({ slug }) => slug)
  const uses = (await scope.events.raise(scope, 'pluginUses', { folders })).flat()
  const zips = await listZips(scope.db)
  const copies = await listCopies(scope.db)
  const serversOf = (sha256: string) => copies.filter(copy => copy.sha256 === sha256).length
  return rows.map(row =>
    show(row, {
      zips: zips.filter(({ plugin_id }) => plugin_id === row.id),
      uses: uses.filter(({ folder }) => folder === row.slug),
      serversOf,
    }),
  )
}

export const showPlugin = async (scope: Scope, row: PluginRow): Promise<CatalogPlugin> => {
  const [shown] = await showPlugins(scope, [row])
  if (!shown) throw new Error('a plugin that is there was not shown')
  return shown
}

const show = (row: PluginRow, { zips, uses, serversOf }: Known): CatalogPlugin => {
  const [newest] = zips
  const usable = zips.find(isInstallable)
  return {
    id: row.id,
    kind: row.kind,
    slug: row.slug,
    name: row.name,
    isDefault: row.is_default === 1,
    installable: row.kind === 'wporg' || usable !== undefined,
    version: usable?.version ?? null,
    versions: zips.map(zip => ({
      version: zip.version,
      sizeBytes: zip.size_bytes,
      sha256: zip.sha256,
      requiresPhp: zip.requires_php,
      requiresWordpress: zip.requires_wordpress,
      status: zip.status,
      installable: isInstallable(zip),
      sites: uses.filter(({ version }) => version === zip.version).length,
      servers: serversOf(zip.sha256),
      uploadedAt: zip.uploaded_at,
    })),
    check: newest ? showCheck(newest, row.slug) : null,
    sites: uses.length,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
