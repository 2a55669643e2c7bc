/** What the shell sees; scripts rely on these numbers. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notFound: 3,
  auth: 4,
  conflict: 5,
  timeout: 6,
  /** A file that was given is damaged or of another kind. */
  damaged: 65,
  config: 78,
  interrupted: 130,
} as const

/** Something went wrong in an expected way. The message is for people: one sentence that says what to do. */
export class Failure extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = EXIT.failure) {
    super(message)
    this.name = 'Failure'
    this.exitCode = exitCode
  }
}

/** The code of a failed system call such as EACCES. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
