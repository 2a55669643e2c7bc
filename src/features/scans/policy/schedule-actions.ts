import { z } from 'zod'
import { type Started, scheduleAction } from '#features/schedules/index.ts'
import type { EnqueueOptions } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'
import { siteMalwareScan } from '../scan/site.malware-scan.ts'
import { startScan } from '../scan/start-scan.ts'
import { effectivePolicy, findPolicy } from './policy-store.ts'

const start = async (scope: Scope, slug: string, options: EnqueueOptions): Promise<Started> => {
  const { enabled } = await effectivePolicy(scope, await findPolicy(scope.db, slug))
  if (!enabled) return { skipped: `Scheduled scans are switched off for ${slug}.` }
  return { job: await startScan(scope, slug, options) }
}

const scan = scheduleAction({
  action: 'security.scan',
  label: 'Scan sites for malware',
  description: siteMalwareScan.description,
  level: 'manage',
  targets: 'sites',
  input: z.strictObject({}),
  start: (scope, slug, { options }) => start(scope, slug, options),
})

export const scanActions = async () => ({
  actions: [scan],
  builtIn: [
    {
      key: 'malware-scans',
      name: 'Nightly malware scan of all sites',
      action: scan.action,
      cron: '10 3 * * *',
      enabled: true,
    },
  ],
})
