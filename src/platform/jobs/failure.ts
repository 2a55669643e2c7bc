import { KnownError, outputOf } from '#platform/contract/known-error.ts'
import { unwritableReason } from '#platform/db/unwritable.ts'
import { HostError } from '#platform/host/errors.ts'
import { cleanLine, cleanText } from '#platform/log/clean-line.ts'
import { Stop } from './stop.ts'

export interface Failure {
  code: string
  /** Ours, for everyone. */
  message: string
  /** What a site or a server said, cleaned; for those whom `maySeeOutput` allows. */
  output: string | null
}

const UNFORESEEN = 'Something unexpected went wrong. The output of the job says what.'
const CODE = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

/** Trouble with a server, or work that took too long: both may be over in a while. */
export const isOfServer = (error: unknown): boolean =>
  error instanceof HostError || (error instanceof Stop && error.kind === 'timeout')

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && CODE.test(String(error.code)) ? String(error.code) : 'internal'

/** An error as a job shows it: a code a script can read, a sentence a person can, and apart from them what others said. */
export const describeFailure = (error: unknown): Failure => {
  const output = cleanText(outputOf(error).trim()) || null
  if (error instanceof KnownError) return { code: error.code, message: cleanLine(error.message), output }
  const reason = unwritableReason(error)
  if (reason !== undefined) return { code: 'unavailable', message: reason, output }
  return { code: codeOf(error), message: UNFORESEEN, output }
}

/** As the row of the job has it. */
export const errorColumns = ({ code, message, output }: Failure) => ({
  error_code: code,
  error_message: message,
  error_output: output,
})
