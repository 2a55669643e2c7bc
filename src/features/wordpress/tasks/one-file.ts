import { z } from 'zod'
import { ask, type SiteRow } from '#features/sites/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { type AsideWork, inAnyFolder } from './aside.ts'

export const isThere = (work: AsideWork, site: SiteRow, path: string): Promise<boolean> =>
  inAnyFolder(work, site, folder => ask(folder, { op: 'stat', path }, z.unknown())).then(() => true, unlessMissing)

/** False when it was not there. */
export const removeIfThere = (work: AsideWork, site: SiteRow, path: string): Promise<boolean> =>
  inAnyFolder(work, site, folder => ask(folder, { op: 'delete', paths: [path] }, z.unknown())).then(
    () => true,
    unlessMissing,
  )

const unlessMissing = (error: unknown): boolean => {
  if (error instanceof Problem && error.code === 'not_found') return false
  throw error
}
