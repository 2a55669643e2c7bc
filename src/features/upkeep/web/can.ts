import type { Actions } from '#web/client/can.ts'
import { type Leftover, upkeep } from '../contract.ts'

/** Removing is offered only while there is something that carries the panel's label. */
export const leftoverActions: Actions<typeof upkeep, readonly Leftover[]> = { contract: upkeep, conditions: {} }
