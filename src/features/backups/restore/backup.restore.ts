import { z } from 'zod'
import { requireRoom } from '#features/servers/index.ts'
import {
  bringBack,
  defineSiteJob,
  dropNext,
  dropSiteDatabase,
  endBringBack,
  finishDatabase,
  ifThere,
  leaveMissing,
  type Missing,
  noteMissing,
  pauseSite,
  resumeSite,
  type SiteInput,
  type SiteRow,
  siteInput,
  siteOf,
  swapBack,
  takeBack,
  undoBringBack,
} from '#features/sites/index.ts'
import { FilePath, Id } from '#platform/contract/identifiers.ts'
import { Problem } from '#platform/contract/problem.ts'
import { newId } from '#platform/db/id.ts'
import type { Step, StepContext } from '#platform/jobs/job-type.ts'
import { type BackupRow, getBackup } from '../backup-store.ts'
import { RestoreParts, TableName } from '../contract.ts'
import { makeBackup, unmakeBackup } from '../create/make-backup.ts'
import { withRepository } from '../repository/open-repository.ts'
import { placeFolder, placeOf, removeWork } from '../repository/paths.ts'
import { drill, endDrill } from './drill.ts'
import { followHostname } from './follow-hostname.ts'
import { refuseFor } from './missing-site.ts'
import { keepDatabase, replaceDatabase, unpackDatabase } from './restored-database.ts'
import { placeFiles, unpackFiles, unpackPaths, WRITE_EVERYTHING } from './restored-files.ts'

interface Input extends SiteInput {
  backupId: string
  parts: z.infer<typeof RestoreParts>
  skipSafetyCopy: boolean
  /** Some files only; all of them when empty. */
  paths: string[]
  /** Some tables only; all of them when empty. */
  tables: string[]
  /** Restores next to the site, to see whether it works, and changes nothing. */
  drill?: boolean | undefined
}
interface State {
  safetyId: string
  before: SiteRow['status']
  isReplacing: true
  /** What of the site was gone when the job began; undone, it is gone again. */
  missing: Missing
}
type Context = StepContext<Input, State>
type RestoreStep = Step<Input, State>

const Result = z.strictObject({ backupId: z.string(), safetyBackupId: z.string().nullable() })

const hasFiles = ({ parts }: Input) => parts !== 'database'
const hasDatabase = ({ parts }: Input) => parts !== 'files'
const hadFiles = ({ missing }: Partial<State>) => missing === undefined || missing === 'database'
const hadDatabase = ({ missing }: Partial<State>) => missing === undefined || missing === 'files'

const backupOf = async ({ db, input }: Context): Promise<BackupRow & { snapshot_id: string }> => {
  const row = await getBackup(db, input.backupId)
  if (row.snapshot_id === null) throw new Problem('conflict', 'This backup is only offsite. Fetch it back first.')
  return { ...row, snapshot_id: row.snapshot_id }
}

const checkRoom: RestoreStep = {
  id: 'check-room',
  label: 'Checking free space',
  async run(context) {
    const { hosts, db, signal } = context
    const site = await siteOf(context)
    const { size_bytes: neededBytes } = await backupOf(context)
    const host = hosts.get(site.server_id)
    await requireRoom(host, { neededBytes, signal })
    await requireRoom(host, { folder: await placeFolder(db, placeOf(site)), neededBytes, signal })
  },
}

const bringBackLost: RestoreStep = {
  id: 'bring-back',
  label: 'Checking the site',
  async run(context) {
    const { input, state, save, say } = context
    const site = await siteOf(context)
    const missing = state.missing ?? (await noteMissing(context, site))
    if (missing === null) return
    refuseFor(missing, input)
    // Known before the first change, so that after a crash nothing is taken for the site.
    state.missing = missing
    await save()
    say('The site is no longer complete on its server. What is missing comes from the backup.')
    await bringBack(context, site, missing)
  },
  undo: ifThere(async (context, site) => {
    if (!hadFiles(context.state)) await undoBringBack(context, site)
  }),
}

const keepSafe: RestoreStep = {
  id: 'safety-copy',
  label: 'Backing up the current state',
  async run(context) {
    if (context.state.missing) return context.say('Skipped: there is no complete site to keep.')
    if (context.input.skipSafetyCopy) return context.say('Skipped, as requested.')
    context.state.safetyId ??= newId(context.now())
    await context.save()
    await makeBackup(context, await siteOf(context), { id: context.state.safetyId, type: 'pre_restore', note: '' })
  },
  undo: ifThere(async (context, site) => {
    const { safetyId } = context.state
    if (safetyId !== undefined) await unmakeBackup(context, site, safetyId)
  }),
}

const unpack: RestoreStep = {
  id: 'unpack',
  label: 'Unpacking the backup',
  async run(context) {
    const { input, jobId } = context
    const site = await siteOf(context)
    const row = await backupOf(context)
    await removeWork(context, placeOf(site), jobId)
    if (hasFiles(input) && input.paths.length === 0) await unpackFiles(context, site, row.snapshot_id)
    await withRepository(context, placeOf(site), { purpose: jobId, capAdd: WRITE_EVERYTHING }, async opened => {
      if (input.paths.length > 0) await unpackPaths(opened, context, row, input.paths)
      if (hasDatabase(input)) await unpackDatabase(opened, context, row, input.tables)
    })
  },
  undo: ifThere(async (context, site) => {
    await dropNext(context.hosts.get(site.server_id), site)
    await removeWork(context, placeOf(site), context.jobId)
  }),
}

const stop: RestoreStep = {
  id: 'stop-site',
  label: 'Stopping the site',
  async run(context) {
    const site = await siteOf(context)
    context.state.before ??= site.status
    await context.save()
    await pauseSite(context, site)
    if (hasDatabase(context.input) && hadDatabase(context.state)) await keepDatabase(context, site)
  },
  undo: ifThere(async (context, site) => {
    const { before, missing } = context.state
    if (missing && before) await leaveMissing(context, site, before)
    else if (before === 'running') await resumeSite(context, site)
  }),
}

const exchangeDatabase: RestoreStep = {
  id: 'replace-database',
  label: 'Replacing the database',
  async run(context) {
    if (!hasDatabase(context.input)) return
    context.state.isReplacing = true
    await context.save()
    const isWhole = context.input.tables.length === 0
    await replaceDatabase(context, await siteOf(context), { from: 'database', isWhole })
  },
  undo: ifThere(async (context, site) => {
    if (!context.state.isReplacing) return
    if (!hadDatabase(context.state)) return dropSiteDatabase(context, site)
    await replaceDatabase(context, site, { from: 'before', isWhole: true })
    await finishDatabase(context, site)
  }),
}

const exchangeFiles: RestoreStep = {
  id: 'replace-files',
  label: 'Replacing the files',
  async run(context) {
    const site = await siteOf(context)
    if (hasFiles(context.input)) await placeFiles(context, site, context.input.paths)
    if (hasDatabase(context.input)) await finishDatabase(context, site)
    if (context.state.missing) await noteMissing(context, site)
  },
  undo: ifThere((context, site) =>
    hadFiles(context.state) ? swapBack(context.hosts.get(site.server_id), site) : takeBack(context, site),
  ),
}

const start: RestoreStep = {
  id: 'start-site',
  label: 'Starting the site',
  async run(context) {
    const { state, input } = context
    if (state.before !== 'running') return
    await resumeSite(context, await siteOf(context))
    if (hasDatabase(input) && input.tables.length === 0)
      await followHostname(context, await siteOf(context), await backupOf(context))
  },
  undo: ifThere(async (context, site) => {
    if (context.state.before === 'running') await pauseSite(context, site)
  }),
}

const tryOut: RestoreStep = {
  id: 'drill',
  label: 'Restoring next to the site',
  async run(context) {
    if (context.input.drill) await drill(context, await siteOf(context), await backupOf(context))
  },
  undo: ifThere(async (context, site) => {
    if (context.input.drill) await endDrill(context, site)
  }),
}

/** What a drill leaves alone. */
const unlessDrill = ({ run, undo, ...step }: RestoreStep): RestoreStep => ({
  ...step,
  run: async context => (context.input.drill ? undefined : run(context)),
  ...(undo && { undo: async context => (context.input.drill ? undefined : undo(context)) }),
})

const clean: RestoreStep = {
  id: 'remove-old-state',
  label: 'Removing the previous state',
  final: true,
  run: ifThere(async (context, site) => {
    await dropNext(context.hosts.get(site.server_id), site)
    await removeWork(context, placeOf(site), context.jobId)
    await endBringBack(context, site)
  }),
}

export const backupRestore = defineSiteJob<Input, State, z.infer<typeof Result>>({
  type: 'backup.restore',
  label: 'Restore backup',
  description:
    'Replaces files and database of a site with those of a backup, after a backup of the current state. If anything fails, the site stays as it was. A drill restores next to the site and changes nothing.',
  category: 'backups',
  timeoutMs: 12 * 3_600_000,
  input: z.strictObject({
    ...siteInput,
    backupId: Id,
    parts: RestoreParts,
    skipSafetyCopy: z.boolean(),
    paths: z.array(FilePath),
    tables: z.array(TableName),
    drill: z.boolean().optional(),
  }),
  result: Result,
  steps: [
    checkRoom,
    ...[bringBackLost, keepSafe, unpack, stop, exchangeDatabase, exchangeFiles, start].map(unlessDrill),
    tryOut,
    unlessDrill(clean),
  ],
  finish: ({ safetyId }, { backupId }) => ({ backupId, safetyBackupId: safetyId ?? null }),
})
