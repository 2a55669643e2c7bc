// First, or the chunk that holds the contracts would run before it.
import './no-generated-code.ts'
import { type Client, client, type Outgoing, type Transport } from '#platform/contract/client.ts'
import type { Contract } from '#platform/contract/endpoint.ts'
import { fetchBody } from '#platform/contract/fetch-body.ts'
import { Problem, ProblemBody } from '#platform/contract/problem.ts'
import { UNREACHABLE } from '#web/kit/problem.ts'
import { hasUnsavedChanges } from '#web/kit/unsaved.ts'
import { noteConnection } from './connection.ts'
import { signInAgain } from './sign-in-again.ts'

const TIMEOUT_MS = 30_000

/** Only ever in memory: a script of another page or a copied disk must not find it. */
let csrfToken: string | undefined

export const holdCsrfToken = (token: string | undefined): void => {
  csrfToken = token
}

const request = async (outgoing: Outgoing): Promise<Response> => {
  const { body, type } = fetchBody(outgoing)
  const headers = new Headers({ accept: 'application/json', ...outgoing.headers })
  if (csrfToken !== undefined) headers.set('x-csrf-token', csrfToken)
  if (type !== undefined) headers.set('content-type', type)
  const movesBytes = outgoing.upload !== undefined || outgoing.wantsBytes
  return fetch(outgoing.url, {
    method: outgoing.method,
    headers,
    credentials: 'same-origin',
    redirect: 'error',
    // How long bytes take depends on how many they are.
    ...(movesBytes ? {} : { signal: AbortSignal.timeout(TIMEOUT_MS) }),
    ...(body === undefined ? {} : { body }),
  })
}

const unreachable = (error: unknown): Problem =>
  error instanceof DOMException && error.name === 'TimeoutError'
    ? new Problem('timeout', 'The panel took too long to respond. Try again.')
    : new Problem('bad_gateway', UNREACHABLE)

const retryAfterSeconds = (response: Response): number | undefined => {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  return Number.isNaN(seconds) ? undefined : seconds
}

const refusal = (response: Response, answer: unknown): Problem => {
  const body = ProblemBody.safeParse(answer)
  if (!body.success) {
    return new Problem('bad_gateway', `A proxy in front of the panel returned ${response.status}. Try again.`)
  }
  const { code, message, details } = body.data.error
  return new Problem(code, message, details, { retryAfterSeconds: retryAfterSeconds(response) })
}

const sendOnce: Transport = async outgoing => {
  const response = await request(outgoing).catch((error: unknown) => {
    const problem = unreachable(error)
    if (problem.message === UNREACHABLE) noteConnection(false)
    throw problem
  })
  noteConnection(true)
  if (response.ok && outgoing.wantsBytes) return response
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw refusal(response, answer)
  return answer
}

/** The session ended under something that would be lost on the way to the sign-in page. */
const wouldLose = ({ method, url, upload }: Outgoing, error: unknown): boolean => {
  if (!(error instanceof Problem && error.code === 'unauthorized') || csrfToken === undefined || upload) return false
  return method === 'GET' ? hasUnsavedChanges() : !url.startsWith('/api/auth/')
}

const send: Transport = async outgoing => {
  try {
    return await sendOnce(outgoing)
  } catch (error) {
    if (!wouldLose(outgoing, error)) throw error
    await signInAgain()
    return sendOnce(outgoing)
  }
}

/** `clientOf(sites).siteStop(…)`: one method for each endpoint of a contract. A feature makes its own, so that its contract is fetched with its pages. */
export const clientOf = <C extends Contract>(contract: C): Client<C> => client(contract, send)
