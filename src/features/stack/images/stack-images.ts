import { setTimeout as sleep } from 'node:timers/promises'
import type { JobProgress } from '#platform/contract/job.ts'
import type { Host } from '#platform/host/host.ts'
import { TryLater } from '#platform/jobs/stop.ts'
import { ensureImage, shipImages } from './ensure-image.ts'
import { type ImageRecipe, type PhpVersion, siteImage } from './recipes.ts'

/** New sites get this one, so every server has it ready; others are brought when a site asks for them. */
export const DEFAULT_PHP: PhpVersion = '8.4'

interface Work {
  readonly dataDir: string
  readonly signal: AbortSignal
  say(text: string): void
  onLine(line: string): void
  progress(progress: JobProgress): void
}

/** Longer than it takes to see that the image is there; building and shipping one takes minutes. */
const GRACE_MS = 5_000
const LATER_MS = 5_000

const bringing = new Map<string, Promise<string[]>>()

/** An image that servers need before something can run there, and what a person calls it. */
export interface WantedImage {
  readonly recipe: ImageRecipe
  readonly what: string
}

/** The image of a PHP version, on the server that a site should run on. */
export const bringSiteImage = (own: Host, to: Host, php: PhpVersion, work: Work): Promise<string> =>
  bringImage(own, to, { recipe: siteImage(php), what: `PHP ${php}` }, work)

/** The first use builds it, which needs no lane: the job tries again later, so that other jobs of the server continue. */
export const bringImage = async (own: Host, to: Host, { recipe, what }: WantedImage, work: Work): Promise<string> => {
  const key = `${to.name} ${recipe.name} ${recipe.version} ${work.dataDir}`
  const quiet = { dataDir: work.dataDir, signal: new AbortController().signal, say() {}, onLine() {}, progress() {} }
  const images = bringing.get(key) ?? bringImages(own, to, [recipe], quiet)
  // Kept until someone has been told how it ended.
  bringing.set(key, images)
  const isOver = images.then(
    () => true,
    () => true,
  )
  if (!(await Promise.race([isOver, sleep(GRACE_MS, false, { signal: work.signal, ref: false })])))
    throw new TryLater(`Preparing ${what} for ${to.name}`, LATER_MS)
  bringing.delete(key)
  const [ref = ''] = await images
  return ref
}

/** Built on the panel's own server where missing, and shipped from there. The references, in the order of the recipes. */
export const bringImages = async (
  own: Host,
  to: Host,
  recipes: readonly ImageRecipe[],
  work: Work,
): Promise<string[]> => {
  const built = recipes.map(recipe => {
    const onLine = (line: string) => work.onLine(`${recipe.name}: ${line}`)
    return ensureImage(recipe, { host: own, ...work, onLine })
  })
  // What is still being built when one has failed would continue behind the back of the job.
  await Promise.allSettled(built)
  const refs = await Promise.all(built)
  if (own === to) return refs
  const onShipped = (done: number, total: number) => work.progress({ done, total, unit: 'bytes' })
  const shipped = await shipImages(own, to, refs, { signal: work.signal, onShipped })
  if (shipped.length > 0) work.say(`Copied to the server: ${shipped.join(', ')}.`)
  return refs
}
