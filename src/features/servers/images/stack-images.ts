import type { Host } from '#platform/host/host.ts'
import { ensureImage, shipImage } from './ensure-image.ts'
import { type PhpVersion, STACK_IMAGES, siteImage } from './recipes.ts'

/** New sites get this one, so every server has it ready; others are brought when a site asks for them. */
export const DEFAULT_PHP: PhpVersion = '8.4'

export interface StackImages {
  readonly edge: string
  readonly database: string
}

interface Work {
  readonly dataDir: string
  readonly signal: AbortSignal
  say(text: string): void
  onLine(line: string): void
}

/** Built on the panel's own server where missing, and carried from there. */
export const bringImages = async (own: Host, to: Host, work: Work): Promise<StackImages> => {
  const bring = async (recipe: Parameters<typeof ensureImage>[0]) => {
    const ref = await ensureImage(recipe, { host: own, ...work })
    if (own !== to && (await shipImage(own, to, ref, work))) work.say(`${ref} was carried over.`)
    return ref
  }
  const edge = await bring(STACK_IMAGES.edge)
  const database = await bring(STACK_IMAGES.database)
  await bring(siteImage(DEFAULT_PHP))
  return { edge, database }
}
