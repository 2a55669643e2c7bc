import type { Site } from '#features/sites/contract.ts'
import type { Actions } from '#web/client/can.ts'
import { protection } from '../contract.ts'

/** What can be done about the protection of sites. */
export const protectionActions: Actions<typeof protection, Site> = { contract: protection, conditions: {} }
