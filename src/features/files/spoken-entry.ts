import { z } from 'zod'
import { FileEntry } from './contract.ts'

/** An entry as the site describes it: a target only where there is one. */
export const SpokenEntry = FileEntry.extend({ target: z.string().optional() }).transform(
  ({ target, ...entry }): FileEntry => ({ ...entry, target: target ?? null }),
)
