/**
 * For features that need DNS. `planRecords` says what publishing A, AAAA and TXT records would change; nothing changes.
 * `publishRecords` carries a plan out, `awaitPublished` waits until the name servers respond with it, and
 * `restoreRecords` undoes it: keep the plan in the state of the job before it is carried out. Only records with the
 * panel's marker are ever changed or removed; an item that is `blocked` says what a person has to do.
 * `textsAtSource` asks the name servers of a zone themselves, not resolvers.
 */

export { textsAtSource } from './authority.ts'
export type { RebuiltSites } from './hooks.ts'
export { type DnsPlan, type PlannedRecord, planRecords, planRemoval, type WantedRecord } from './plan-records.ts'
export { awaitPublished, publishRecords, restoreRecords } from './publish-records.ts'
export { hasToken } from './token.ts'
export { findWildcard } from './wildcard.ts'
