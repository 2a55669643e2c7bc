import { z } from 'zod'
import { scheduleAction } from '#features/schedules/index.ts'
import { wpScanAll } from './wp.scan-all.ts'

const scan = scheduleAction({
  action: 'wp.scan',
  label: 'Scan all sites',
  description: wpScanAll.description,
  level: 'manage',
  targets: 'none',
  input: z.strictObject({}),
  start: async (scope, { options }) => ({ job: await scope.jobs.enqueue(wpScanAll, {}, options) }),
})

export const scanActions = async () => ({
  actions: [scan],
  builtIn: [
    {
      key: 'wp-scan',
      name: 'Scan of all sites every six hours',
      action: scan.action,
      cron: '35 */6 * * *',
      enabled: true,
    },
  ],
})
