import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { buildImage, findImage, loadImages, saveImages } from '#drivers/docker/images.ts'
import type { Host } from '#platform/host/host.ts'
import { inTurn } from '#platform/turn/in-turn.ts'
import { dockerOf } from '../stack/docker-of.ts'
import { ensureDebian, type Progress } from './debian.ts'
import { type ImageRecipe, type RecipeFile, recipeFiles, refOf } from './recipes.ts'
import { fetchWpCli } from './wp-cli.ts'

interface BuildPlace extends Progress {
  /** The server whose Docker builds: the panel's own. */
  readonly host: Host
  readonly dataDir: string
}

/** Tells the reference of the image, and builds it first where it is missing. */
export const ensureImage = async (recipe: ImageRecipe, place: BuildPlace): Promise<string> => {
  // Read once, so that what is built is what the name says even when files change meanwhile.
  const files = await recipeFiles(recipe)
  const ref = refOf(recipe, files)
  return inTurn(`${place.host.name} ${ref}`, async () => {
    const { host, signal } = place
    if ((await findImage(dockerOf(host), ref, { signal })) === undefined) await build({ recipe, files, ref }, place)
    return ref
  })
}

interface Plan {
  readonly recipe: ImageRecipe
  readonly files: readonly RecipeFile[]
  readonly ref: string
}

const build = async ({ recipe, files, ref }: Plan, place: BuildPlace): Promise<void> => {
  const { host, onLine, signal } = place
  onLine?.(`Building ${ref}.`)
  const [debian, extra] = await Promise.all([
    inTurn(`${host.name} ${recipe.suite}`, () => ensureDebian(host, recipe.suite, place)),
    recipe.needsWpCli ? wpCliFile(place) : [],
  ])
  await buildImage(dockerOf(host), contextOf([...files, ...extra]), {
    tag: ref,
    buildArgs: { ...recipe.buildArgs, DEBIAN: debian },
    labels: { 'fleetpress.image': recipe.name },
    signal,
    ...(onLine && { onLine }),
  })
}

const wpCliFile = async (place: BuildPlace): Promise<RecipeFile[]> => [
  { name: 'wp-cli.phar', mode: 0o644, data: await inTurn('wp-cli', () => fetchWpCli(place.host, place)) },
]

const contextOf = (files: readonly RecipeFile[]): Readable => {
  const tar = pack()
  for (const { name, mode, data } of files) tar.entry({ name, mode, mtime: new Date(0) }, data)
  tar.finalize()
  return Readable.from(tar)
}

/** Carries the image to another server, once. True when it had to. */
export const shipImage = (from: Host, to: Host, ref: string, { signal }: Progress = {}): Promise<boolean> =>
  inTurn(`${to.name} ${ref}`, async () => {
    if (await findImage(dockerOf(to), ref, { signal })) return false
    const tar = await saveImages(dockerOf(from), [ref], { signal })
    try {
      await loadImages(dockerOf(to), tar, { signal })
    } finally {
      // Where the other side was never reached nobody has read it, and its engine would wait for that.
      tar.destroy()
    }
    return true
  })
