import type { Migration } from 'kysely/migration'
import * as foundation from './0001-foundation.ts'

/** In order, append-only: a migration that has left this machine is never edited. */
export const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
}
