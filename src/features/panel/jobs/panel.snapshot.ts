import { join } from 'node:path'
import { z } from 'zod'
import { defineJob } from '#platform/jobs/job-type.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import { snapshotSettings } from '../settings.ts'
import { pruneSnapshots, snapshotFolder, takeSnapshot } from '../snapshot.ts'

const PANEL_SERVER = 1
export const SnapshotResult = z.strictObject({
  file: z.string(),
  sha256: z.string(),
  sizeBytes: z.number(),
  rows: z.number(),
})
type SnapshotResult = z.infer<typeof SnapshotResult>

const hashFile = (file: string) => `${file}.sha256`

/** The name follows from the job, so a repeated step writes the same file. Ids sort by time, so names do too. */
const fileOf = (dataDir: string, jobId: string) => join(snapshotFolder(dataDir), `panel-${jobId}.fpsnap`)

export const panelSnapshot = defineJob<Record<string, never>, { copy: SnapshotResult }, SnapshotResult>({
  type: 'panel.snapshot',
  label: 'Create panel snapshot',
  description:
    "Backs up the panel's own database (servers, sites, domains, keys) to a file that can be restored on this or another machine.",
  category: 'panel',
  timeoutMs: 30 * 60_000,
  input: z.strictObject({}),
  result: SnapshotResult,
  target: () => ({ serverId: PANEL_SERVER }),
  lanes: () => [serverLane(PANEL_SERVER)],
  steps: [
    {
      id: 'copy-database',
      label: 'Copying the database',
      async run({ hosts, installation, database, jobId, state, now, say }) {
        await hosts.get(PANEL_SERVER).makeDir(snapshotFolder(installation.dataDir), { mode: 0o700 })
        const copy = await takeSnapshot(database, snapshotFolder(installation.dataDir), {
          name: `panel-${jobId}`,
          now: now(),
          version: installation.version,
        })
        state.copy = copy
        say(`${copy.rows} rows, ${copy.sizeBytes} bytes, SHA-256 ${copy.sha256}`)
      },
      async undo({ hosts, installation, jobId }) {
        await hosts.get(PANEL_SERVER).removeFile(fileOf(installation.dataDir, jobId))
      },
    },
    {
      id: 'write-checksum',
      label: 'Writing the checksum',
      async run({ hosts, state }) {
        const { copy } = state
        if (!copy) throw new Error('the copy is missing')
        await hosts.get(PANEL_SERVER).writeFile(hashFile(copy.file), `${copy.sha256}  ${copy.file}\n`, { mode: 0o600 })
      },
      async undo({ hosts, installation, jobId }) {
        await hosts.get(PANEL_SERVER).removeFile(hashFile(fileOf(installation.dataDir, jobId)))
      },
    },
    {
      id: 'remove-old-copies',
      label: 'Deleting old snapshots',
      async run({ hosts, installation, settings, say }) {
        const { keep } = await settings.read(snapshotSettings)
        const gone = await pruneSnapshots(hosts.get(PANEL_SERVER), installation.dataDir, keep)
        if (gone > 0) say(`Deleted ${gone} old snapshots. Kept the newest ${keep}.`)
      },
    },
  ],
  finish: ({ copy }) => {
    if (!copy) throw new Error('the copy is missing')
    return copy
  },
})
