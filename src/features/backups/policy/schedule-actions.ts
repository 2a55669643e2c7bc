import { z } from 'zod'
import { type Started, scheduleAction } from '#features/schedules/index.ts'
import { siteToChange } from '#features/sites/index.ts'
import type { EnqueueOptions } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'
import { backupCreate } from '../create/backup.create.ts'
import { findPolicy } from './policy-store.ts'

const start = async (scope: Scope, slug: string, options: EnqueueOptions): Promise<Started> => {
  if ((await findPolicy(scope.db, slug)).backups_enabled === 0)
    return { skipped: `Scheduled backups are switched off for ${slug}.` }
  const { server_id: serverId } = await siteToChange(scope, slug)
  return { job: await scope.jobs.enqueue(backupCreate, { slug, serverId, type: 'scheduled', note: '' }, options) }
}

const backUp = scheduleAction({
  action: 'backup.create',
  label: 'Back up sites',
  description: backupCreate.description,
  level: 'full',
  targets: 'sites',
  input: z.strictObject({}),
  start: (scope, slug, { options }) => start(scope, slug, options),
})

export const backupActions = async () => ({
  actions: [backUp],
  builtIn: [
    { key: 'backups', name: 'Nightly backup of all sites', action: backUp.action, cron: '30 1 * * *', enabled: true },
  ],
})
