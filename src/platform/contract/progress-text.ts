import type { Job, JobProgress } from './job.ts'

/** From 0 to 1. */
export const progressShare = ({ done, total }: JobProgress): number => (total > 0 ? Math.min(1, done / total) : 0)

/** How far a whole job is, from 0 to 1: its steps, and what it knows of the current one. */
export const jobShare = ({ stepsDone, stepsTotal, progress, undoing }: Job): number => {
  const present = progress === null || undoing ? 0 : progressShare(progress)
  return Math.min(1, (stepsDone + present) / Math.max(1, stepsTotal))
}

/** `1.2 GB of 3.4 GB, 35 %`, or `3 of 10 files, 30 %`. How bytes are written is for the reader to say. */
export const progressText = (progress: JobProgress, bytesText: (bytes: number) => string): string => {
  const { done, total, unit } = progress
  const amount = unit === 'bytes' ? `${bytesText(done)} of ${bytesText(total)}` : `${done} of ${total} ${unit}`
  return `${amount}, ${Math.floor(progressShare(progress) * 100)} %`
}
