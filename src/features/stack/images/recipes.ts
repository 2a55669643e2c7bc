import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { debianRef } from './debian.ts'
import { WP_CLI_SHA256 } from './wp-cli.ts'

const FOLDER = join(import.meta.dirname, '../../../../images')

/** How an image is made: a folder with a Dockerfile, on a Debian suite. */
export interface ImageRecipe {
  readonly name: string
  readonly version: string
  readonly suite: string
  readonly buildArgs: Readonly<Record<string, string>>
  /** The suite whose compilers build the image's own programs. */
  readonly toolsSuite?: string
  readonly needsWpCli: boolean
}

/** The suite that carries each PHP. */
const PHP_SUITES = { '7.4': 'bullseye', '8.2': 'bookworm', '8.4': 'trixie' } as const

/** One for all, so that every image gets the same program. */
const TOOLS_SUITE = 'trixie'

export type PhpVersion = keyof typeof PHP_SUITES
export const PHP_VERSIONS = Object.keys(PHP_SUITES) as PhpVersion[]

export const siteImage = (php: PhpVersion): ImageRecipe => ({
  name: 'site',
  version: php,
  suite: PHP_SUITES[php],
  buildArgs: { PHP: php },
  toolsSuite: TOOLS_SUITE,
  needsWpCli: true,
})

export interface RecipeFile {
  readonly name: string
  readonly mode: number
  readonly data: Buffer
}

/** The files of a recipe's folder, sorted by name. */
export const recipeFiles = async ({ name }: ImageRecipe): Promise<RecipeFile[]> => {
  const folder = join(FOLDER, name)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Promise.all(
    paths.toSorted().map(async path => ({
      name: path.slice(folder.length + 1),
      // Only whether it is a program: the rest depends on how the files came to this machine.
      mode: (await stat(path)).mode & 0o100 ? 0o755 : 0o644,
      data: await readFile(path),
    })),
  )
}

export const imageRef = async (recipe: ImageRecipe): Promise<string> => refOf(recipe, await recipeFiles(recipe))

/** Its name tells everything that goes into it, so what has the name need not be made again. */
export const refOf = (recipe: ImageRecipe, files: readonly RecipeFile[]): string => {
  const hash = createHash('sha256')
  const { name, version, buildArgs, toolsSuite, needsWpCli } = recipe
  const tools = toolsSuite === undefined ? [] : [debianRef(toolsSuite)]
  hash.update(JSON.stringify([debianRef(recipe.suite), buildArgs, needsWpCli && WP_CLI_SHA256, ...tools]))
  for (const file of files) {
    hash.update(JSON.stringify([file.name, file.mode, file.data.length])).update(file.data)
  }
  return `fleetpress/${name}:${version}-${hash.digest('hex').slice(0, 12)}`
}
