import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Migration } from 'kysely/migration'

const SOURCES = join(import.meta.dirname, '..')
const FILES = '{migrations,features/*/migrations}/[0-9][0-9][0-9][0-9]-*.ts'

const nameOf = (file: string): string => basename(file, '.ts')
const numberOf = (file: string): string => basename(file).slice(0, 4)

const load = async (file: string): Promise<[name: string, Migration]> => [
  nameOf(file),
  (await import(join(SOURCES, file))) as Migration,
]

/** By their number, which no two may share: the second one would change a database that is newer already. */
const listMigrations = (): string[] => {
  const files = globSync(FILES, { cwd: SOURCES }).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const twice = files.find((file, at) => at > 0 && numberOf(file) === numberOf(files[at - 1] ?? ''))
  if (twice !== undefined) throw new Error(`two migrations have the number ${numberOf(twice)}`)
  return files
}

/**
 * Found by their files, here and in the features' own folders. Append-only: a migration that has left this machine is
 * never edited.
 */
export const migrations: Record<string, Migration> = Object.fromEntries(await Promise.all(listMigrations().map(load)))
