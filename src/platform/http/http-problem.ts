import { Problem, type ProblemCode } from '#platform/contract/problem.ts'

/** A refusal that HTTP has its own status for, and the API no code: the status says more than the code. */
export class HttpProblem extends Problem {
  readonly #status: number
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: ProblemCode,
    message: string,
    details: unknown = null,
    headers: Record<string, string> = {},
  ) {
    super(code, message, details)
    this.#status = status
    this.headers = headers
  }

  override get status(): number {
    return this.#status
  }
}
