import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { buildImage, findImage, loadImages, saveImages } from '#drivers/docker/images.ts'
import type { Host } from '#platform/host/host.ts'
import { inSequence } from '#platform/sequence/in-sequence.ts'
import { dockerOf } from '../docker-of.ts'
import { ensureDebian, type Progress } from './debian.ts'
import { type ImageRecipe, type RecipeFile, recipeFiles, refOf } from './recipes.ts'
import { fetchWpCli } from './wp-cli.ts'

interface BuildOptions extends Progress {
  /** The server whose Docker builds: the panel's own. */
  readonly host: Host
  readonly dataDir: string
}

/** Tells the reference of the image, and builds it first where it is missing. */
export const ensureImage = async (recipe: ImageRecipe, options: BuildOptions): Promise<string> => {
  // Read once, so that what is built is what the name says even when files change in the meantime.
  const files = await recipeFiles(recipe)
  const ref = refOf(recipe, files)
  return inSequence(`${options.host.name} ${ref}`, async () => {
    const { host, signal } = options
    if ((await findImage(dockerOf(host), ref, { signal })) === undefined) await build({ recipe, files, ref }, options)
    return ref
  })
}

interface Plan {
  readonly recipe: ImageRecipe
  readonly files: readonly RecipeFile[]
  readonly ref: string
}

const build = async ({ recipe, files, ref }: Plan, options: BuildOptions): Promise<void> => {
  const { host, onLine, signal } = options
  onLine?.(`Building ${ref}.`)
  const debianOf = (suite: string) => inSequence(`${host.name} ${suite}`, () => ensureDebian(host, suite, options))
  const [debian, tools, extra] = await Promise.all([
    debianOf(recipe.suite),
    recipe.toolsSuite === undefined ? undefined : debianOf(recipe.toolsSuite),
    recipe.needsWpCli ? wpCliFile(options) : [],
  ])
  await buildImage(dockerOf(host), contextOf([...files, ...extra]), {
    tag: ref,
    buildArgs: { ...recipe.buildArgs, DEBIAN: debian, ...(tools !== undefined && { TOOLS: tools }) },
    labels: { 'fleetpress.image': recipe.name },
    signal,
    ...(onLine && { onLine }),
  })
}

const wpCliFile = async (options: BuildOptions): Promise<RecipeFile[]> => [
  { name: 'wp-cli.phar', mode: 0o644, data: await inSequence('wp-cli', () => fetchWpCli(options.host, options)) },
]

const contextOf = (files: readonly RecipeFile[]): Readable => {
  const tar = pack()
  for (const { name, mode, data } of files) tar.entry({ name, mode, mtime: new Date(0) }, data)
  tar.finalize()
  return Readable.from(tar)
}

interface Shipping {
  readonly signal?: AbortSignal | undefined
  /** The total counts what images share once for each of them. */
  readonly onShipped?: ((shippedBytes: number, totalBytes: number) => void) | undefined
}

async function* counted(tar: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of tar as AsyncIterable<Buffer>) {
    yield chunk
    bytes += chunk.length
    onBytes(bytes)
  }
}

/** Brings the images that another server lacks, in one go, so that layers they share travel once. Returns those. */
export const shipImages = (
  from: Host,
  to: Host,
  refs: readonly string[],
  { signal, onShipped }: Shipping = {},
): Promise<string[]> =>
  inSequence(`${to.name} images`, async () => {
    const found = await Promise.all(refs.map(ref => findImage(dockerOf(to), ref, { signal })))
    const missing = refs.filter((_, at) => found[at] === undefined)
    if (missing.length === 0) return []
    const images = await Promise.all(missing.map(ref => findImage(dockerOf(from), ref, { signal })))
    const totalBytes = images.reduce((sum, image) => sum + (image?.sizeBytes ?? 0), 0)
    const tar = await saveImages(dockerOf(from), missing, { signal })
    try {
      const upload = Readable.from(
        counted(tar, bytes => onShipped?.(bytes, totalBytes)),
        { objectMode: false },
      )
      await loadImages(dockerOf(to), upload, { signal })
    } finally {
      // Where the other side was never reached no one has read it, and its engine would wait for that.
      tar.destroy()
    }
    return missing
  })
