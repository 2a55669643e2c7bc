import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Ring } from './packages.ts'

/** The ring a test file belongs to, by its name and place; undefined when Node cannot run it as it is. */
export const ringOf = (path: string): Ring | undefined => {
  if (!path.endsWith('.test.ts')) return undefined
  if (path.endsWith('.soak.test.ts')) return 'soak'
  if (path.endsWith('.fleet.test.ts') || path.startsWith('test/fleet/')) return 'fleet'
  if (path.startsWith('test/journeys/')) return 'journeys'
  return /\.(?:slow|alone)\.test\.ts$/.test(path) ? 'slow' : 'unit'
}

/** Files that compare times need the machine for themselves: they run one at a time, after all others. */
export const isAlone = (path: string): boolean => /\.alone\.(?:fleet\.)?test\.ts$/.test(path)

/** They start programs, or hash passwords, again and again: half of the time of all that is next to the code. */
const NOT_QUICK = ['src/platform/host/', 'src/features/login/', 'src/features/admins/']

/** Most of what is next to the code: run before every commit, on SQLite only. */
export const isQuick = (path: string): boolean =>
  ringOf(path) === 'unit' && path.startsWith('src/') && !NOT_QUICK.some(folder => path.startsWith(folder))

/** Every test file of the repository, as paths below its root. */
export const findTestFiles = (root: string): string[] =>
  ['src', 'test']
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)),
    )
    .filter(path => /\.test\.[cm]?[jt]sx?$/.test(path))
    .toSorted()
