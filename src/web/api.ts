// First, or the chunk that holds the contracts would run before it.
import './no-generated-code.ts'
import { admins } from '#features/admins/contract.ts'
import { jobs } from '#features/jobs/contract.ts'
import { login } from '#features/login/contract.ts'
import { panel } from '#features/panel/contract.ts'
import { servers } from '#features/servers/contract.ts'
import { setup } from '#features/setup/contract.ts'
import { sites } from '#features/sites/contract.ts'
import { client, type Outgoing, type Transport } from '#platform/contract/client.ts'
import { Problem, ProblemBody } from '#platform/contract/problem.ts'

const TIMEOUT_MS = 30_000

/** Only ever in memory: a script of another page or a copied disk must not find it. */
let csrfToken: string | undefined

export const holdCsrfToken = (token: string | undefined): void => {
  csrfToken = token
}

const request = async ({ method, url, body }: Outgoing): Promise<Response> => {
  const headers = new Headers({ accept: 'application/json' })
  if (csrfToken !== undefined) headers.set('x-csrf-token', csrfToken)
  if (body !== undefined) headers.set('content-type', 'application/json')
  return fetch(url, {
    method,
    headers,
    credentials: 'same-origin',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const unreachable = (error: unknown): Problem =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? new Problem('timeout', 'The panel did not answer in time. Try again.')
    : new Problem(
        'bad_gateway',
        'The panel cannot be reached. Check that it runs and that you are online, then try again.',
      )

const retryAfterSeconds = (response: Response): number | undefined => {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return Number.isNaN(seconds) ? undefined : seconds
}

const refusal = (response: Response, answer: unknown): Problem => {
  const body = ProblemBody.safeParse(answer)
  if (!body.success) {
    return new Problem('bad_gateway', `Something in front of the panel answered ${response.status}. Try again.`)
  }
  const { code, message, details } = body.data.error
  return new Problem(code, message, details, retryAfterSeconds(response))
}

const send: Transport = async outgoing => {
  const response = await request(outgoing).catch((error: unknown) => {
    throw unreachable(error)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw refusal(response, answer)
  return answer
}

/** Every endpoint the browser uses, one method each. */
export const api = {
  ...client(login, send),
  ...client(setup, send),
  ...client(admins, send),
  ...client(panel, send),
  ...client(jobs, send),
  ...client(servers, send),
  ...client(sites, send),
}

/** Whatever a call threw, as something that can be shown. */
export const toProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem(
        'internal',
        'This page does not understand the answer; the panel may have been updated. Reload the page.',
      )
