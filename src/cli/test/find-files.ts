import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Ring } from './packages.ts'

/** The ring a test file belongs to, by its name and place; undefined when Node cannot run it as it is. */
export const ringOf = (path: string): Ring | undefined => {
  if (!path.endsWith('.test.ts')) return undefined
  if (path.endsWith('.soak.test.ts')) return 'soak'
  if (path.endsWith('.fleet.test.ts') || path.startsWith('test/fleet/')) return 'fleet'
  if (path.startsWith('test/journeys/')) return 'journeys'
  return isSlow(path) ? 'slow' : 'unit'
}

/** Files that need the machine for themselves run one at a time after the others. */
export const isSlow = (path: string): boolean => /\.slow\.(?:fleet\.|soak\.)?test\.ts$/.test(path)

/** Every test file of the repository, as paths below its root. */
export const findTestFiles = (root: string): string[] =>
  ['src', 'test']
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)),
    )
    .filter(path => /\.test\.[cm]?[jt]sx?$/.test(path))
    .toSorted()
