import { z } from 'zod'
import { FolderPath, ServerId } from '#platform/contract/identifiers.ts'
import { Problem } from '#platform/contract/problem.ts'
import { exec } from '#platform/host/command.ts'
import { defineJob, type Step, type StepContext } from '#platform/jobs/job-type.ts'
import { serverLane } from '#platform/jobs/lane.ts'
import { copyFolder, digestFolder, emptyFolder } from '../host/backup-folder.ts'
import { reportCopied } from '../host/report-copied.ts'
import { endForJob, runForJob } from '../host/run-for-job.ts'
import { changeServer, getServer } from '../server-store.ts'
import { readStorage } from '../storage.ts'
import { retryWhileAway } from './retry-while-away.ts'

interface Input {
  serverId: number
  to: string
}
interface State {
  from: string
  /** Null where they could not be counted in time. */
  sizeBytes: number | null
}
type Context = StepContext<Input, State>

const Result = z.strictObject({ from: z.string(), to: z.string() })

/** Millions of files take a while. */
const COUNTING_LIMIT_MS = 30 * 60_000

const hostOf = ({ hosts, input }: Context) => hosts.get(input.serverId)

const fromOf = ({ state }: Context): string => {
  if (state.from === undefined) throw new Error('the previous backup folder is unknown')
  return state.from
}

const steps: Step<Input, State>[] = [
  {
    id: 'check-folders',
    label: 'Checking both folders',
    async run(context) {
      const { db, input, state, say } = context
      if (state.from !== undefined) return
      const { backup_root: from } = await getServer(db, input.serverId)
      const { candidate, usedBytes } = await readStorage(hostOf(context), from, input.to, COUNTING_LIMIT_MS)
      if (candidate?.problem) throw new Problem('conflict', candidate.problem)
      say(`Moving ${usedBytes ?? 'an unknown number of'} bytes from ${from} to ${input.to}.`)
      state.from = from
      state.sizeBytes = usedBytes
    },
  },
  {
    id: 'copy-backups',
    label: 'Copying the backups',
    async run(context) {
      const { input, state, progress } = context
      const host = hostOf(context)
      await host.makeDir(fromOf(context), { mode: 0o700 })
      await host.makeDir(input.to, { mode: 0o700 })
      const ended = runForJob(host, 'copy', copyFolder(fromOf(context), input.to), context)
      if (state.sizeBytes) void reportCopied({ host, to: input.to, totalBytes: state.sizeBytes, ended }, progress)
      await ended
    },
    async undo(context) {
      const { input, jobId, state } = context
      if (state.from === undefined) return
      await endForJob(hostOf(context), 'copy', jobId)
      await hostOf(context).run(emptyFolder(input.to), { allowExitCodes: [1] })
      await hostOf(context).run(exec('rmdir', '--', input.to), { allowExitCodes: [1] })
    },
  },
  {
    id: 'compare-copies',
    label: 'Comparing every byte',
    async run(context) {
      const { input, signal } = context
      const [before, after] = await Promise.all([
        digestFolder(hostOf(context), fromOf(context), signal),
        digestFolder(hostOf(context), input.to, signal),
      ])
      if (before !== after)
        throw new Problem(
          'conflict',
          'The copy differs from the original. The disk may be failing. Nothing was changed.',
        )
    },
  },
  {
    id: 'use-new-folder',
    label: 'Using the new folder',
    run: ({ db, input }) => changeServer(db, input.serverId, { backup_root: input.to }),
    undo: context => changeServer(context.db, context.input.serverId, { backup_root: fromOf(context) }),
  },
  {
    id: 'remove-old-copy',
    label: 'Removing the old copy',
    final: true,
    async run(context) {
      await hostOf(context).run(emptyFolder(fromOf(context)), { signal: context.signal })
    },
  },
]

export const serverRelocateBackups = defineJob<Input, State, z.infer<typeof Result>>({
  type: 'server.relocateBackups',
  label: 'Move backups',
  description: "Copies a server's backups to a new folder, verifies the copy, then points the server at it.",
  category: 'servers',
  timeoutMs: 12 * 3_600_000,
  input: z.strictObject({ serverId: ServerId, to: FolderPath }),
  result: Result,
  target: ({ serverId }) => ({ serverId }),
  lanes: ({ serverId }) => [serverLane(serverId)],
  steps: steps.map(retryWhileAway),
  finish: ({ from }, { to }) => ({ from: from ?? '', to }),
})
