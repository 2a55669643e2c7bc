import type { Actions } from '#web/client/can.ts'
import { wordpressFleet } from '../contract.ts'

export const fleetActions: Actions<typeof wordpressFleet, never> = { contract: wordpressFleet, conditions: {} }
