import type { Job } from '#platform/contract/job.ts'
import { progressShare, progressText } from '#platform/contract/progress-text.ts'
import { bytes, isFancy, type Screen } from '../terminal.ts'

const CLEAR = '\r\u001b[K'
const PARTS = 10

export interface ProgressLine {
  show(job: Job): void
  /** Before anything else is written. */
  clear(): void
}

/** How far a step is: a line that is rewritten for people at a terminal, and one at every tenth for everyone else. */
export const progressLine = (screen: Screen): ProgressLine => {
  let shown = ''
  return {
    show: ({ step, progress }) => {
      if (progress === null) return
      const text = `  ${progressText(progress, bytes)}`
      const next = `${step} ${Math.floor(progressShare(progress) * PARTS)}`
      if (isFancy(screen)) screen.write(`${CLEAR}${text}`)
      else if (next !== shown) screen.write(`${text}\n`)
      shown = next
    },
    clear: () => {
      if (isFancy(screen)) screen.write(CLEAR)
    },
  }
}
