import type { SiteInput, SiteRow } from '#features/sites/index.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'
import type { Change } from './aside.ts'
import type { Choices } from './choices.ts'
import type { TaskItem, TaskOp } from './contract.ts'
import type { Planned } from './plan.ts'
import type { Health, Probe } from './probe.ts'

export interface TaskInput extends SiteInput {
  ops: TaskOp[]
  healthCheck: boolean
  backupFirst: boolean
}

/** What is known of an item whose change has begun, so that it can be continued or rolled back after a crash. */
export interface Begun {
  change?: Change
  choices?: Choices
  health?: Health
  /** When the site began to download its package from its author. */
  downloadingSince?: number
  /** What was kept aside is deleted. */
  isDropped?: boolean
}

export interface TaskState {
  plan: Planned[]
  /** Of the backup that is taken first. */
  backupId: string
  begun: Record<number, Begun>
  wasInMaintenance: boolean
  /** Whether the front page worked before the first item. */
  wasUp: boolean
  report: TaskItem[]
}

export type TaskContext = StepContext<TaskInput, TaskState>

/** One item of a task while it is being changed. */
export interface ItemWork {
  readonly context: TaskContext
  readonly site: SiteRow
  readonly item: Planned
  readonly begun: Begun
  readonly probe: Probe
  /** Names the folder aside. */
  readonly id: string
}
