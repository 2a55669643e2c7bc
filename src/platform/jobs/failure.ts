import { Problem } from '#platform/contract/problem.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import { Stop } from './stop.ts'

export interface Failure {
  code: string
  message: string
}

const hasCode = (error: Error): error is Error & { code: string } => 'code' in error && typeof error.code === 'string'

/** An error as a job shows it: a code a script can read and a sentence a person can. */
export const describeFailure = (error: unknown): Failure => {
  if (error instanceof Stop) return { code: error.kind, message: error.message }
  if (error instanceof Problem) return { code: error.code, message: error.message }
  if (error instanceof Error)
    return { code: hasCode(error) ? error.code : 'internal', message: cleanLine(error.message) }
  return { code: 'internal', message: cleanLine(String(error)) }
}
