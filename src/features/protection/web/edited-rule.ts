import type { StoredRule } from '../contract.ts'

/** A rule that is not saved yet has no id. */
export type EditedRule = Omit<StoredRule, 'id'> & { id?: string | undefined }
