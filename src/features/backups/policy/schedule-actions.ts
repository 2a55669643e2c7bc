import { z } from 'zod'
import { type Started, scheduleAction } from '#features/schedules/index.ts'
import { siteToChange } from '#features/sites/index.ts'
import type { EnqueueOptions } from '#platform/jobs/jobs.ts'
import type { Scope } from '#platform/scope.ts'
import { listBackups } from '../backup-store.ts'
import { backupCreate } from '../create/backup.create.ts'
import { backupRestore } from '../restore/backup.restore.ts'
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

/** The newest backup that is on the server of its site. */
const startDrill = async (scope: Scope, slug: string, options: EnqueueOptions): Promise<Started> => {
  const { server_id: serverId, created_at } = await siteToChange(scope, slug)
  const rows = await listBackups(scope.db, { siteSlug: slug, serverId })
  const newest = rows.find(row => row.snapshot_id !== null && row.created_at >= created_at)
  if (!newest) return { skipped: `${slug} has no backup on its server.` }
  const all = { parts: 'all' as const, paths: [], tables: [], skipSafetyCopy: true, drill: true }
  return { job: await scope.jobs.enqueue(backupRestore, { slug, serverId, backupId: newest.id, ...all }, options) }
}

const drill = scheduleAction({
  action: 'backup.drill',
  label: 'Check backups by restoring them',
  description:
    'Restores the newest backup of a site into a throwaway container and database, and checks that WordPress works. The site stays as it is.',
  level: 'full',
  targets: 'sites',
  input: z.strictObject({}),
  start: (scope, slug, { options }) => startDrill(scope, slug, options),
})

export const backupActions = async () => ({
  actions: [backUp, drill],
  builtIn: [
    { key: 'backups', name: 'Nightly backup of all sites', action: backUp.action, cron: '30 1 * * *', enabled: true },
    { key: 'restore-drill', name: 'Weekly restore drill', action: drill.action, cron: '0 4 * * 6', enabled: false },
  ],
})
