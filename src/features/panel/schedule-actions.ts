import { z } from 'zod'
import { scheduleAction } from '#features/schedules/index.ts'
import { panelSnapshot } from './jobs/panel.snapshot.ts'
import { systemHousekeeping } from './jobs/system.housekeeping.ts'

const nothing = z.strictObject({})

const snapshot = scheduleAction({
  action: 'panel.snapshot',
  label: 'Back up the panel’s database',
  description: panelSnapshot.description,
  level: 'full',
  targets: 'none',
  input: nothing,
  start: async (scope, { options }) => ({ job: await scope.jobs.enqueue(panelSnapshot, {}, options) }),
})

const housekeeping = scheduleAction({
  action: 'system.housekeeping',
  label: 'Housekeeping',
  description: systemHousekeeping.description,
  level: 'full',
  targets: 'none',
  input: nothing,
  builtInOnly: true,
  start: async (scope, { options }) => ({ job: await scope.jobs.enqueue(systemHousekeeping, {}, options) }),
})

/** What the panel does for itself, every night. */
export const panelActions = async () => ({
  actions: [snapshot, housekeeping],
  builtIn: [
    {
      key: 'panel-snapshot',
      name: 'Nightly backup of the panel’s database',
      action: snapshot.action,
      cron: '0 3 * * *',
      enabled: true,
    },
    {
      key: 'housekeeping',
      name: 'Nightly housekeeping',
      action: housekeeping.action,
      cron: '5 3 * * *',
      enabled: true,
    },
  ],
})
