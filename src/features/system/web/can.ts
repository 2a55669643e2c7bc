import { type Actions, lasting, passing } from '#web/client/can.ts'
import { system } from '../contract.ts'
import type { Updates } from './use-updates.ts'

/** What a person can do about the version of the panel. */
export const updateActions: Actions<typeof system, Updates> = {
  contract: system,
  conditions: {
    systemUpdate: [
      ({ problem }) => (problem === null ? undefined : lasting(problem)),
      ({ available }) => (available ? undefined : lasting('This is the newest version.')),
      ({ update }) => (update?.status === 'running' ? passing('An update is already running.') : undefined),
    ],
  },
}
