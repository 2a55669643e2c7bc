import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

/** They start programs again and again. */
const NOT_QUICK = 'src/platform/host/'
/** A panel takes a second of processor time or more, and half of all test files start one. */
const STARTS_PANEL = /from '#test\/support\/(?:panel|job-kit)\.ts'/

/** The feature, driver or other part of the code that a path is in. */
const partOf = (path: string): string => /^src\/(?:(?:drivers|features|platform)\/)?[^/]+/.exec(path)?.[0] ?? path

/** Run before every commit: what is next to the code and needs no panel, and all that is next to what was changed. */
export const quickFiles = (root: string, files: readonly string[], changed: readonly string[]): string[] => {
  const parts = new Set(changed.map(partOf))
  const isShort = (file: string) =>
    !file.startsWith(NOT_QUICK) && !STARTS_PANEL.test(readFileSync(join(root, file), 'utf8'))
  const unit = files.filter(file => ringOf(file) === 'unit' && file.startsWith('src/'))
  return unit.filter(file => parts.has(partOf(file)) || isShort(file))
}

/** What differs from the last commit; nothing where there is no checkout. */
export const changedFiles = (root: string): string[] => {
  const list = (...words: string[]) => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout ?? ''
  const paths = list('diff', '--name-only', '-z', 'HEAD') + list('ls-files', '--others', '--exclude-standard', '-z')
  return paths.split('\0').filter(path => path !== '')
}

/** Every test file of the repository, as paths below its root. */
export const findTestFiles = (root: string): string[] =>
  ['src', 'test']
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path)),
    )
    .filter(path => /\.test\.[cm]?[jt]sx?$/.test(path))
    .toSorted()
