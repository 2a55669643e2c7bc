import { type Actions, type Condition, lasting, passing } from '#web/client/can.ts'
import { type Server, servers } from '../contract.ts'

const notBeingSetUp: Condition<Server> = ({ status }) =>
  status === 'provisioning' ? passing('The server is being set up. Wait until that job ends.') : undefined

/** What can be done to a server, and when. */
export const serverActions: Actions<typeof servers, Server> = {
  contract: servers,
  conditions: {
    serverReprovision: [notBeingSetUp],
    serverDelete: [({ own }) => (own ? lasting("The panel runs on this server, so it can't be removed.") : undefined)],
  },
}
