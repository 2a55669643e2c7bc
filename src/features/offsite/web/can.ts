import { type Actions, type Condition, lasting, passing } from '#web/client/can.ts'
import { type Destination, offsite } from '../contract.ts'

const isStaying: Condition<Destination> = ({ deleting }) =>
  deleting ? passing('Its copies are being deleted.') : undefined

/** What can be done to a destination, and when. */
export const destinationActions: Actions<typeof offsite, Destination> = {
  contract: offsite,
  conditions: {
    destinationUpdate: [isStaying],
    destinationDelete: [isStaying],
    destinationPassphrase: [
      ({ encryption }) => (encryption ? undefined : lasting('Copies at this destination are not encrypted.')),
    ],
  },
}
