import type { Command } from '#platform/host/command.ts'
import { forgetDetached, runDetached } from '#platform/host/detached.ts'
import { CommandFailed, DetachedLost } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'

export interface JobWork {
  readonly jobId: string
  readonly signal: AbortSignal
  output(stream: 'stdout' | 'stderr', text: string): void
}

const detachedId = (jobId: string, part: string) => `${jobId}-${part}`

/**
 * A long command of a job: continues when the connection is cut or the panel ends, and is found again by the job's id. It
 * must be repeatable, since it starts again when the machine was restarted in the middle of it.
 */
export const runForJob = async (host: Host, part: string, command: Command, work: JobWork): Promise<void> => {
  const id = detachedId(work.jobId, part)
  const { signal } = work
  const run = () => runDetached(host, id, command, { signal, onOutput: text => work.output('stdout', text) })
  try {
    await run().catch(async error => {
      if (!(error instanceof DetachedLost)) throw error
      await forgetDetached(host, id)
      await run()
    })
  } catch (error) {
    if (error instanceof CommandFailed) await forgetDetached(host, id)
    throw error
  }
  await forgetDetached(host, id)
}

/** Ends what a job left running. */
export const endForJob = (host: Host, part: string, jobId: string): Promise<void> =>
  forgetDetached(host, detachedId(jobId, part))
