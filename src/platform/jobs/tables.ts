import type { JobOrigin, JobStatus } from '#platform/contract/job.ts'

declare module '#platform/db/tables.ts' {
  interface Tables {
    job: JobTable
    job_lane: JobLaneTable
    lane_hold: LaneHoldTable
    job_log: JobLogTable
  }
}

export interface JobTable {
  id: string
  type: string
  label: string
  category: string
  status: JobStatus
  origin: JobOrigin
  site_slug: string | null
  server_id: number | null
  schedule_id: string | null
  batch_id: string | null
  /** The site this job has for itself; unique among active jobs. */
  site_lock: string | null
  /** Makes a request repeatable: a second job with the same key is not made. */
  once_key: string | null
  lanes: string
  started_by: string | null
  input: string
  /** What the steps have told each other so far. */
  state: string
  result: string | null
  /** Every step that has begun, in order, with what became of it: `StepRecord[]`. */
  steps: string
  /** Counted for people; what is run or undone next follows from `steps`. */
  steps_done: number
  steps_total: number
  step: string | null
  /** How far the current step is, where it knows: `JobProgress`. */
  progress: string | null
  /** 1 while a failed or canceled job undoes what it did. */
  undoing: number
  cancel_requested_at: number | null
  error_code: string | null
  /** Ours, for everyone; what a site or a server said is `error_output`. */
  error_message: string | null
  error_output: string | null
  /** Who runs it, and until when others must believe that. */
  worker: string | null
  lease_until: number | null
  /** Grows with every takeover; a runner that was taken over writes nothing more. */
  attempt: number
  /** How often the panel died under it. */
  crashes: number
  /** Set while the job waits, without its lanes, to try again what it has to finish or undo. */
  retry_at: number | null
  deadline_at: number | null
  created_at: number
  started_at: number | null
  finished_at: number | null
}

/** The lanes an active job waits in or holds; rows go when the job ends. */
export interface JobLaneTable {
  lane: string
  job_id: string
}

/** One row per busy lane. The primary key is what keeps two jobs out of one lane. */
export interface LaneHoldTable {
  lane: string
  job_id: string
}

export interface JobLogTable {
  job_id: string
  seq: number
  at: number
  stream: 'panel' | 'stdout' | 'stderr'
  text: string
}
