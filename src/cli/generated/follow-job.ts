import { jobs } from '#features/jobs/contract.ts'
import { client } from '#platform/contract/client.ts'
import { type Job, type JobLogLine, TERMINAL } from '#platform/contract/job.ts'
import { EXIT, Failure } from '../failure.ts'
import { plainLine } from '../plain-text.ts'
import { coloursFor, say, seconds } from '../terminal.ts'
import type { Connection } from './connection.ts'

const FIRST_PAUSE_MS = 200
/** Two a second at most: a long job with much to say must stay far from the panel's limit of requests. */
const BUSY_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 1000
/** A panel that is being restarted answers again within this time. */
const PATIENCE_MS = 30_000

const describeStep = (job: Job): string => {
  const what = job.undoing ? `putting back: ${job.step}` : job.step
  return job.step === null ? job.status : `${what} (${Math.min(job.stepsDone + 1, job.stepsTotal)}/${job.stepsTotal})`
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

const leaveOnInterrupt = (id: string): (() => void) => {
  const leave = () => {
    say(
      `The job goes on. See it with \`./fleetpress jobs get ${id}\`, stop it with \`./fleetpress jobs cancel ${id}\`.`,
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

/** Shows a job's steps and log as they come, until it has ended. */
export const followJob = async (connection: Connection, id: string, limitSeconds?: number): Promise<Job> => {
  const panel = client(jobs, connection.send)
  const deadline = limitSeconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + limitSeconds * 1000
  const stopListening = leaveOnInterrupt(id)
  let logAfter = 0
  let shown = ''
  let pause = FIRST_PAUSE_MS
  for (;;) {
    const { job, logs, lastSeq } = await patiently(() => panel.jobGet({ params: { id }, query: { logAfter } }))
    const step = plainLine(describeStep(job))
    if (step !== shown && !TERMINAL.includes(job.status)) say(`→ ${step}`)
    showLines(logs)
    const isNew = step !== shown || lastSeq > logAfter
    shown = step
    const isRead = lastSeq === logAfter
    logAfter = lastSeq
    if (TERMINAL.includes(job.status) && isRead) {
      stopListening()
      showEnd(job)
      return job
    }
    if (Date.now() > deadline)
      throw new Failure(`The job ${id} goes on, but the time given with --timeout is over.`, EXIT.timeout)
    if (!TERMINAL.includes(job.status)) await new Promise(resolve => setTimeout(resolve, pause))
    pause = isNew ? BUSY_PAUSE_MS : LONGEST_PAUSE_MS
  }
}
