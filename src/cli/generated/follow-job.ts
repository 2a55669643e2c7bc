import { jobs } from '#features/jobs/contract.ts'
import { type Client, client } from '#platform/contract/client.ts'
import { type Job, type JobLogLine, TERMINAL } from '#platform/contract/job.ts'
import { waitsFor } from '#platform/contract/job-wait.ts'
import { EXIT, Failure } from '../failure.ts'
import { plainLine } from '../plain-text.ts'
import { coloursFor, say, seconds } from '../terminal.ts'
import type { Connection } from './connection.ts'
import { type ProgressLine, progressLine } from './progress-line.ts'

const FIRST_PAUSE_MS = 200
/** Two a second at most: a long job with much to say must stay far from the panel's limit of requests. */
const BUSY_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 1000
/** A panel that is being restarted answers again within this time. */
const PATIENCE_MS = 30_000

type JobsClient = Client<typeof jobs>

/** A job that has not begun waits for others; what they are is asked only then. */
const describeWait = async (panel: JobsClient, job: Job): Promise<string> => {
  const { items } = await panel.jobList({ query: { status: 'queued,running', limit: 200 } })
  const what = waitsFor(job, items)
  return what === undefined ? 'Waiting in queue' : `Waiting for ${what}`
}

const describeStep = async (panel: JobsClient, job: Job): Promise<string> => {
  if (job.step === null) return job.status === 'queued' ? describeWait(panel, job) : job.status
  return job.undoing ? job.step : `${job.step} (${Math.min(job.stepsDone + 1, job.stepsTotal)}/${job.stepsTotal})`
}

const showLines = (lines: JobLogLine[]): void => {
  const colours = coloursFor(process.stderr)
  for (const { stream, text } of lines) {
    const line = plainLine(text)
    say(`  ${stream === 'stderr' ? colours.yellow(line) : stream === 'panel' ? line : colours.dim(line)}`)
  }
}

const showEnd = (job: Job): void => {
  const colours = coloursFor(process.stderr)
  const took = seconds((job.finishedAt ?? 0) - (job.startedAt ?? job.createdAt))
  const label = plainLine(job.label)
  if (job.status === 'succeeded') say(`${colours.green('✓')} ${label} ${colours.dim(took)}`)
  else say(`${colours.red('✗')} ${label}: ${plainLine(job.error?.message ?? job.status)} ${colours.dim(took)}`)
}

const leaveOnInterrupt = (id: string, clear: () => void): (() => void) => {
  const leave = () => {
    clear()
    say(
      `The job continues. View it with \`./fleetpress jobs get ${id}\`, cancel it with \`./fleetpress jobs cancel ${id}\`.`,
    )
    process.exit(EXIT.interrupted)
  }
  process.once('SIGINT', leave)
  return () => process.off('SIGINT', leave)
}

/** Asks once; while the panel is away for a moment, it is asked again. */
const patiently = async <T>(act: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const isAway = error instanceof Failure && (error.exitCode === EXIT.failure || error.exitCode === EXIT.timeout)
      if (!isAway || Date.now() > deadline) throw error
      await new Promise(resolve => setTimeout(resolve, LONGEST_PAUSE_MS))
    }
  }
}

/** Shows a job's steps, log and progress as they come, until it has ended. */
export const followJob = async (connection: Connection, id: string, limitSeconds?: number): Promise<Job> => {
  const progress = progressLine(process.stderr)
  const stopListening = leaveOnInterrupt(id, progress.clear)
  try {
    return await showUntilEnd(connection, id, progress, limitSeconds)
  } finally {
    progress.clear()
    stopListening()
  }
}

const showUntilEnd = async (
  connection: Connection,
  id: string,
  progress: ProgressLine,
  limitSeconds = Number.POSITIVE_INFINITY,
): Promise<Job> => {
  const panel = client(jobs, connection.send)
  const deadline = Date.now() + limitSeconds * 1000
  let logAfter = 0
  let shown = ''
  let pause = FIRST_PAUSE_MS
  for (;;) {
    const { job, logs, lastSeq } = await patiently(() => panel.jobGet({ params: { id }, query: { logAfter } }))
    const hasEnded = TERMINAL.includes(job.status)
    const step = plainLine(await patiently(() => describeStep(panel, job)))
    progress.clear()
    if (step !== shown && !hasEnded) say(`→ ${step}`)
    showLines(logs)
    if (!hasEnded) progress.show(job)
    const isNew = step !== shown || lastSeq > logAfter
    shown = step
    const isRead = lastSeq === logAfter
    logAfter = lastSeq
    if (hasEnded && isRead) {
      showEnd(job)
      return job
    }
    if (Date.now() > deadline)
      throw new Failure(`Stopped waiting after --timeout. The job ${id} continues.`, EXIT.timeout)
    if (!hasEnded) await new Promise(resolve => setTimeout(resolve, pause))
    pause = isNew ? BUSY_PAUSE_MS : LONGEST_PAUSE_MS
  }
}
