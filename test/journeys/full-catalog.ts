import { insertPlugin } from '#features/catalog/catalog-store.ts'
import { insertZip } from '#features/catalog/zip-store.ts'
import { keepLicense } from '#features/recipes/license-store.ts'
import type { TestPanel } from '../support/panel.ts'

const MINUTE_MS = 60_000

/** A zip with findings that wait for a review. */
export const FLAGGED_PLUGIN = '01900000-0000-7000-8000-0000000000b1'
const SHOP = '01900000-0000-7000-8000-0000000000b2'
const CACHE = '01900000-0000-7000-8000-0000000000b3'

const PLUGINS = [
  { id: FLAGGED_PLUGIN, kind: 'zip', slug: 'slider-revolutions', name: 'Slider Revolutions', is_default: 0 },
  { id: SHOP, kind: 'zip', slug: 'shop', name: 'Shop Pro', is_default: 1 },
  { id: CACHE, kind: 'wporg', slug: 'cache', name: 'Cache', is_default: 1 },
] as const

const FINDINGS = [
  {
    path: 'includes/vendor/uploader/legacy-upload-handler.php',
    kind: 'malware',
    label: 'Runs what a visitor sends',
    severity: 'confirmed',
    rule: 'eval-request',
    line: 214,
    detail: 'eval(base64_decode($_POST["code"]));',
  },
]

const zip = (at: number, pluginId: string, version: string, now: number) => ({
  id: `01900000-0000-7000-8000-0000000000c${at}`,
  plugin_id: pluginId,
  version,
  sha256: String(at).repeat(64),
  size_bytes: 4_200_000 + at,
  requires_php: '8.1',
  requires_wordpress: '6.5',
  status: 'clean' as const,
  is_checking: 0,
  files: 812,
  findings: '[]',
  reviewed_findings: null,
  problem: null,
  checked_at: now - at * MINUTE_MS,
  uploaded_at: now - at * MINUTE_MS,
})

/** Plugins of both kinds, and a recipe that is valid on some sites. */
export const fillCatalog = async (panel: TestPanel, slugs: readonly string[], now: number): Promise<void> => {
  const { db } = panel.foundation.database
  for (const plugin of PLUGINS) await insertPlugin(db, { ...plugin, created_at: now, updated_at: now })
  const flagged = { status: 'flagged', findings: JSON.stringify(FINDINGS) } as const
  await insertZip(db, { ...zip(1, FLAGGED_PLUGIN, '7.2.1', now), ...flagged })
  await insertZip(db, zip(2, SHOP, '10.0.0', now))
  await insertZip(db, zip(3, SHOP, '9.4.2', now))
  const api = panel.as('full')
  const { id } = await api.recipeCreate({
    body: {
      name: 'Shop Pro license',
      pluginId: SHOP,
      inputs: [{ name: 'key', label: 'License key', secret: true }],
      hooks: {
        afterInstall: [{ kind: 'option', option: 'shop_pro', path: ['license'], value: { $input: 'key' } }],
        verify: [
          { kind: 'expect', read: { kind: 'rest', route: '/shop/v1/license' }, path: ['status'], value: 'valid' },
        ],
      },
    },
  })
  await api.recipeInputs({ params: { id }, body: { values: { key: 'shop-4711-key' } } })
  for (const [at, slug] of slugs.slice(0, 4).entries())
    await keepLicense(db, {
      site_slug: slug,
      recipe_id: id,
      status: at === 2 ? 'unknown' : 'valid',
      message: at === 2 ? 'The license server did not answer in time.' : '',
      applied_at: now - MINUTE_MS,
      checked_at: now - at * MINUTE_MS,
      job_id: null,
    })
}
