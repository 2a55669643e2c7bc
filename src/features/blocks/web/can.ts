import { type Actions, lasting } from '#web/client/can.ts'
import { blocks, type SecurityBlock } from '../contract.ts'

/** What can be done to a block, and when. */
export const blockActions: Actions<typeof blocks, SecurityBlock> = {
  contract: blocks,
  conditions: {
    securityBlockLift: [({ state }) => (state === 'active' ? undefined : lasting('This block is over.'))],
  },
}
