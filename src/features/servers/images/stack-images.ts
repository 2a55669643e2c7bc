import type { Host } from '#platform/host/host.ts'
import { ensureImage, shipImage } from './ensure-image.ts'
import { type ImageRecipe, type PhpVersion, STACK_IMAGES, siteImage } from './recipes.ts'

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

/** The image of a PHP version, on the server that a site should run on. */
export const bringSiteImage = (own: Host, to: Host, php: PhpVersion, work: Work): Promise<string> =>
  bring(own, to, siteImage(php), work)

/** Built on the panel's own server where missing, and carried from there. */
export const bringImages = async (own: Host, to: Host, work: Work): Promise<StackImages> => {
  const recipes = [STACK_IMAGES.edge, STACK_IMAGES.database, siteImage(DEFAULT_PHP)] as const
  const refs = recipes.map(recipe => bring(own, to, recipe, work))
  // What is still being made when one has failed would go on behind the back of the job.
  await Promise.allSettled(refs)
  const [edge = '', database = ''] = await Promise.all(refs)
  return { edge, database }
}

const bring = async (own: Host, to: Host, recipe: ImageRecipe, work: Work): Promise<string> => {
  const onLine = (line: string) => work.onLine(`${recipe.name}: ${line}`)
  const ref = await ensureImage(recipe, { host: own, ...work, onLine })
  if (own !== to && (await shipImage(own, to, ref, work))) work.say(`${ref} was carried over.`)
  return ref
}
