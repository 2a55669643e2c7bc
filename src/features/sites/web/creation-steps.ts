import type { Job, JobLogLine } from '#platform/contract/job.ts'

export type StepState = 'done' | 'now' | 'next' | 'failed'

export interface ShownStep {
  key: number
  text: string
  state: StepState
}

interface FollowedJob {
  job: Pick<Job, 'status' | 'error' | 'undoing' | 'stepsDone' | 'stepsTotal' | 'finishedAt'>
  logs: readonly JobLogLine[]
  /** What it waits for before it begins. */
  waitingFor?: string | undefined
}

/** The job writes its reason before it rolls back; what follows is for the log. */
const linesBeforeFailure = ({ job, logs }: FollowedJob): JobLogLine[] => {
  const said = logs.filter(({ stream }) => stream === 'panel')
  const reason = job.error?.message
  const end = reason === undefined ? -1 : said.findIndex(({ text }) => text !== '' && reason.startsWith(text))
  return end === -1 ? said : said.slice(0, end)
}

const rollbackOf = ({ undoing, finishedAt, error }: FollowedJob['job']): ShownStep[] => {
  if (error === null) return []
  if (undoing) return [{ key: -3, text: 'Rolling back', state: 'now' }]
  return finishedAt === null ? [] : [{ key: -3, text: 'Rolled back', state: 'done' }]
}

const waitText = ({ waitingFor }: FollowedJob): string =>
  waitingFor === undefined ? 'Waiting in queue' : `Waiting for ${waitingFor}`

/** What a job did step by step: ticks for what is done, a cross for what failed, then how many are left. */
export const creationSteps = (followed: FollowedJob): ShownStep[] => {
  const { job } = followed
  const said = linesBeforeFailure(followed)
  const hasFailed = job.error !== null || job.status === 'failed' || job.status === 'canceled'
  const last: StepState = hasFailed ? 'failed' : job.status === 'succeeded' ? 'done' : 'now'
  const left = hasFailed || job.finishedAt !== null ? 0 : Math.max(0, job.stepsTotal - job.stepsDone - 1)
  return [
    ...said.map(({ seq: key, text }, at): ShownStep => ({ key, text, state: at < said.length - 1 ? 'done' : last })),
    ...(said.length === 0 && !hasFailed ? [{ key: -1, text: waitText(followed), state: 'now' as const }] : []),
    ...rollbackOf(job),
    ...(left > 0 ? [{ key: -2, text: left === 1 ? '1 step left' : `${left} steps left`, state: 'next' as const }] : []),
  ]
}
