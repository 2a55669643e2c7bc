import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureImage } from '#features/stack/images/ensure-image.ts'
import { PHP_VERSIONS, siteImage } from '#features/stack/images/recipes.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { ensureStackDisk } from '#test/support/stack-disk.ts'
import { stackImages, stackParts } from '#test/support/stack-parts.ts'
import { ensureEngine } from './engine.ts'
import { ensureVpsImage } from './vps-image.ts'

/** What the tests of a fleet share is made once; several that run at a time would each make their own. */
export const prepareFleet = async (): Promise<void> => {
  await ensureEngine()
  await ensureVpsImage('bookworm', false)
  await ensureVpsImage('bookworm', true)
  const dataDir = mkdtempSync(join(tmpdir(), 'fleetpress-images-'))
  try {
    const images = [...(await stackParts()).map(part => part.image), ...(await stackImages())]
    for (const recipe of [...images, ...PHP_VERSIONS.map(siteImage)])
      await ensureImage(recipe, { host: new LocalHost(), dataDir })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
  await ensureStackDisk()
}
