import type { Kysely } from 'kysely'

type Anything = Kysely<Record<string, Record<string, unknown>>>

/** The steps of every job type while rows only counted them. A `!` marks the step from which there is no way back. */
const STEPS: Record<string, string> = {
  'panel.snapshot': 'copy-database write-checksum remove-old-copies',
  'server.applySiteLimits': 'read-limits apply-limits',
  'server.provision':
    'create-account check-machine install-packages start-docker create-folders bring-images load-firewall start-database start-edge check-stack publish-panel!',
  'server.relocateBackups': 'check-folders copy-backups compare-copies use-new-folder remove-old-copy!',
  'site.changePhp': 'bring-image switch-version check-answer',
  'site.create': 'prepare place-files start-and-install check-answer',
  'site.delete': 'close remove-container delete-data!',
  'site.move':
    'check-servers copy-files copy-database prepare-new-server hold-visitors copy-changes switch-servers! check-answer',
  'site.moveFinalize': 'check-dns remove-parked-copy!',
  'site.reconcile': 'compare-container compare-edge',
  'site.restart': 'restart-container',
  'site.start': 'start-container',
  'site.stop': 'stop-container',
  'site.updateDomains':
    'hold-names get-certificate add-names rewrite-addresses switch-names check-answer remove-old-names!',
  'system.housekeeping': 'tidy-up',
}

interface RunningJob {
  id: string
  type: string
  steps_done: number
  steps_total: number
  undoing: number
}

/** Names no one has, so the job ends instead of guessing what a count meant. */
const unknownSteps = (count: number) => Array.from({ length: count }, (_, index) => `step-${index + 1}-of-${count}`)

const recordsOf = ({ type, steps_done, steps_total, undoing }: RunningJob): string => {
  const known = STEPS[type]?.split(' ') ?? []
  const ids = known.length === steps_total ? known : unknownSteps(steps_total)
  // While a job was undone it counted the steps still to undo; before that, the next one was under way.
  const begun = ids.slice(0, undoing === 1 ? steps_done : steps_done + 1)
  const records = begun.map((id, index) => {
    const name = id.replace('!', '')
    const fate = index < steps_done ? 'done' : 'begun'
    return { id: name, label: name, ...(id !== name && { final: true }), fate }
  })
  return JSON.stringify(records)
}

export const up = async (db: Anything): Promise<void> => {
  await db.schema
    .alterTable('job')
    .addColumn('steps', 'text', c => c.notNull().defaultTo('[]'))
    .execute()
  await db.schema.alterTable('job').addColumn('progress', 'text').execute()
  const running = await db
    .selectFrom('job')
    .select(['id', 'type', 'steps_done', 'steps_total', 'undoing'])
    .where('status', '=', 'running')
    .execute()
  for (const row of running as unknown as RunningJob[])
    await db
      .updateTable('job')
      .set({ steps: recordsOf(row) })
      .where('id', '=', row.id)
      .execute()
}
