import { KnownError } from '#platform/contract/known-error.ts'
import type { Step } from './job-type.ts'
import type { JobTable } from './tables.ts'

/** What became of a step. One that has begun may have happened in part. */
export type StepFate = 'begun' | 'done' | 'undone' | 'no-undo' | 'undo-failed' | 'missing'

/** A step as the job's row remembers it, in the order they began. */
export interface StepRecord {
  readonly id: string
  readonly label: string
  readonly final?: true
  readonly fate: StepFate
}

/** The panel was updated under a running job, and its steps are no longer those it began with. */
export class StepsChanged extends KnownError {
  readonly code = 'steps_changed'
}

const quoted = ({ id, label }: StepRecord) => (label === id ? `"${id}"` : `"${label}" (${id})`)
const listed = (records: readonly StepRecord[]) => records.map(quoted).join(', ')

/**
 * The steps of one job: what its row remembers, and what this version of the panel has under the same ids. The panel may
 * have been updated since the job began, so a step is never looked up by its position.
 */
export class StepLedger {
  readonly #steps: readonly Step[]
  #records: readonly StepRecord[]

  constructor(stored: string, steps: readonly Step[]) {
    this.#records = JSON.parse(stored) as StepRecord[]
    this.#steps = steps
  }

  find(id: string): Step | undefined {
    return this.#steps.find(step => step.id === id)
  }

  /** Why the job cannot continue: what it has begun must still be the first steps of its type, in that order. */
  findChange(): StepsChanged | undefined {
    if (this.#records.every(({ id }, at) => this.#steps[at]?.id === id)) return undefined
    const missing = this.#records.filter(({ id }) => this.find(id) === undefined)
    const what =
      missing.length > 0 ? `no longer has ${listed(missing)}` : 'runs the steps of this job in a different order'
    return new StepsChanged(
      `The panel was updated while this job ran. The new version ${what}, so the job can't continue.`,
    )
  }

  get isComplete(): boolean {
    return this.#records.length === this.#steps.length && this.#records.every(({ fate }) => fate === 'done')
  }

  /** The step under way. */
  get current(): Step | undefined {
    const last = this.#records.at(-1)
    return last?.fate === 'begun' ? this.find(last.id) : undefined
  }

  /** False when a step is under way already or none is left. */
  beginNext(): boolean {
    const step = this.#steps[this.#records.length]
    if (!step || this.#records.at(-1)?.fate === 'begun') return false
    const { id, label, final } = step
    this.#records = [...this.#records, { id, label, ...(final && { final }), fate: 'begun' }]
    return true
  }

  /** The step to undo next, the latest first. */
  get lastStanding(): StepRecord | undefined {
    return this.#records.findLast(({ fate }) => fate === 'begun' || fate === 'done')
  }

  settle(id: string, fate: StepFate): void {
    this.#records = this.#records.map(record => (record.id === id ? { ...record, fate } : record))
  }

  /** A step that has no way back has begun, as this version sees it or the one that ran it. */
  get isPastReturn(): boolean {
    return this.#records.some(({ id, final }) => final ?? this.find(id)?.final)
  }

  get hasMissing(): boolean {
    return this.#with('missing').length > 0
  }

  get isUndone(): boolean {
    return !this.hasMissing && this.#with('undo-failed').length === 0
  }

  /** What a person should know about the undo of a job whose steps have changed, or of one that could not all be undone. */
  describeUndo(isChanged: boolean): string {
    const [undone, missing, failed] = [this.#with('undone'), this.#with('missing'), this.#with('undo-failed')]
    return [
      isChanged && undone.length === 0 && 'Nothing was rolled back.',
      isChanged && undone.length > 0 && `Rolled back: ${listed(undone)}.`,
      missing.length > 0 && `Not rolled back, because this version has no such step: ${listed(missing)}.`,
      failed.length > 0 && `Couldn't roll back: ${listed(failed)}. See the log for the reason.`,
    ]
      .filter(part => part !== false)
      .join(' ')
  }

  #with(fate: StepFate): StepRecord[] {
    return this.#records.filter(record => record.fate === fate)
  }

  /** As the row keeps it. */
  get columns(): Pick<JobTable, 'steps' | 'steps_done' | 'steps_total' | 'step'> {
    return {
      steps: JSON.stringify(this.#records),
      steps_done: this.#with('done').length,
      steps_total: this.#steps.length,
      step: this.current?.label ?? null,
    }
  }
}
