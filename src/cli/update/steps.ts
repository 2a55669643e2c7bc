import {
  removeUnfinished,
  saveUpdate,
  UPDATE_STEPS,
  type UpdateState,
  type UpdateStep,
} from '#features/system/index.ts'
import { say } from '../terminal.ts'

/** The steps of an update as they are done; everyone who reads its file sees how far it is. */
export interface UpdateSteps {
  readonly state: UpdateState
  run<T>(step: UpdateStep, act: () => Promise<T>): Promise<T>
  end(status: 'succeeded' | 'failed' | 'rolled_back', error: string | null): void
}

export const stepsOf = (dataDir: string, state: UpdateState): UpdateSteps => {
  const mark = (id: string, status: 'running' | 'done' | 'failed') => {
    for (const step of state.steps) if (step.id === id) step.status = status
    saveUpdate(dataDir, state)
  }
  return {
    state,
    async run(step, act) {
      say(`${UPDATE_STEPS[step]} …`)
      mark(step, 'running')
      try {
        const made = await act()
        mark(step, 'done')
        return made
      } catch (error) {
        mark(step, 'failed')
        throw error
      }
    },
    end(status, error) {
      removeUnfinished(dataDir, state)
      Object.assign(state, { status, error, finishedAt: Date.now(), variables: {} })
      saveUpdate(dataDir, state)
    },
  }
}
