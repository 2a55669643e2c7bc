import type { Missing } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'

interface Asked {
  readonly slug: string
  readonly parts: 'all' | 'files' | 'database'
  readonly paths: readonly string[]
  readonly tables: readonly string[]
  readonly skipSafetyCopy: boolean
}

const refuse = (message: string): never => {
  throw new Problem('conflict', message)
}

/** What is missing has to come back whole, and what is left is not replaced unless someone can do without it. */
export const refuseFor = (missing: Missing, { slug, parts, paths, tables, skipSafetyCopy }: Asked): void => {
  const isLeft = parts === 'all' && !skipSafetyCopy
  if (missing !== 'database' && (parts === 'database' || paths.length > 0))
    refuse(`The files of ${slug} are no longer on its server. Restore all of them.`)
  if (missing !== 'files' && (parts === 'files' || tables.length > 0))
    refuse(`The database of ${slug} is missing or incomplete. Restore all of it.`)
  if (missing === 'files' && isLeft)
    refuse(`The database of ${slug} is still there. Restore only its files, or don't back up the current state first.`)
  if (missing === 'database' && isLeft)
    refuse(`The files of ${slug} are still there. Restore only its database, or don't back up the current state first.`)
}
