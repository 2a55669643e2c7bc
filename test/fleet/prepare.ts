import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureImage } from '#features/servers/images/ensure-image.ts'
import { PHP_VERSIONS, STACK_IMAGES, siteImage } from '#features/servers/images/recipes.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { ensureEngine } from './engine.ts'
import { ensureVpsImage } from './vps-image.ts'

/** What the tests of a fleet share is made once; several that run at a time would each make their own. */
export const prepareFleet = async (): Promise<void> => {
  await ensureEngine()
  await ensureVpsImage('bookworm', false)
  await ensureVpsImage('bookworm', true)
  const dataDir = mkdtempSync(join(tmpdir(), 'fleetpress-images-'))
  try {
    for (const recipe of [...Object.values(STACK_IMAGES), ...PHP_VERSIONS.map(siteImage)])
      await ensureImage(recipe, { host: new LocalHost(), dataDir })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
