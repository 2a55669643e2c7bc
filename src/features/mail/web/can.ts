import type { Actions } from '#web/client/can.ts'
import { mail } from '../contract.ts'

/** What can be done with mail. */
export const mailActions: Actions<typeof mail, never> = { contract: mail, conditions: {} }
