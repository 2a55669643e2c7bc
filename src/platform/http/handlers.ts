import type { Contract, Reply, Request } from '#platform/contract/endpoint.ts'
import type { Scope } from '#platform/scope.ts'

/** Where a request came from. */
export interface Caller {
  address: string
  userAgent: string
  requestId: string
}

/** What a handler gets: the scope, and the request it answers. */
export interface RequestScope extends Scope {
  readonly caller: Caller
  readonly browser: {
    /** Signs the browser in: the token goes into its session cookie. */
    signIn(token: string): void
    signOut(): void
  }
}

/** One handler per endpoint of a contract; a missing or misshapen one does not compile. */
export type Handlers<C extends Contract> = {
  [K in keyof C]: (req: Request<C[K]>, scope: RequestScope) => Promise<Reply<C[K]>>
}

export type AnyHandler = (
  req: { params: unknown; query: unknown; body: unknown },
  scope: RequestScope,
) => Promise<unknown>
