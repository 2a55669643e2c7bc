import { Problem } from '#platform/contract/problem.ts'

/** What a request is told that got no answer at all. */
export const UNREACHABLE = "Can't reach the panel. Check that it is running and that you are online, then try again."

/** Whatever a call threw, as something that can be shown. */
export const toProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem('internal', 'The panel may have been updated. Reload the page and try again.')
