import { type Level, reaches } from './level.ts'

interface Known {
  readonly cause?: unknown
  readonly output?: string
}

/**
 * An error that says in our own words what went wrong. What a site, a server or another service said about it is
 * `output` and never part of `message`, because everyone reads messages, and output may hold anything.
 */
export abstract class KnownError extends Error {
  abstract readonly code: string
  /** As it came. Shown through `showOutput` only. */
  readonly output: string

  constructor(message: string, { cause, output = '' }: Known = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.output = output
  }

  override get name(): string {
    return this.constructor.name
  }
}

/** A failure of ours that has no class of its own. */
export class CodedError extends KnownError {
  readonly code: string

  constructor(code: string, message: string, known: Known = {}) {
    super(message, known)
    this.code = code
  }
}

/** What others said about this failure. The message of an error that is not ours counts as theirs. */
export const outputOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const said = error instanceof KnownError ? error.output : error.message || error.name
  const deeper = error.cause === undefined ? '' : outputOf(error.cause)
  return [said, deeper].filter(Boolean).join(': ')
}

/** Read only never sees what a site or a server said. */
export const maySeeOutput = (level: Level): boolean => reaches(level, 'manage')
