import type { Contract, Reply, Request, SocketNotes } from '#platform/contract/endpoint.ts'
import type { Scope } from '#platform/scope.ts'
import type { PanelSocket } from './socket.ts'

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

/** What the handler of a socket gets. */
export interface SocketScope extends RequestScope {
  /** Aborts when the caller is gone or may no longer be here: whatever was opened for the socket ends with it. */
  readonly gone: AbortSignal
}

/** What is said over a socket; the socket is closed when it is over. */
export type Conversation = (socket: PanelSocket) => Promise<void>

/**
 * One handler per endpoint of a contract; a missing or misshapen one does not compile. That of a socket does what may
 * fail first, while the answer can still be an error, and returns what happens once the socket is open.
 */
export type Handlers<C extends Contract> = {
  [K in keyof C]: C[K] extends { socket: SocketNotes }
    ? (req: Request<C[K]>, scope: SocketScope) => Promise<Conversation>
    : (req: Request<C[K]>, scope: RequestScope) => Promise<Reply<C[K]>>
}

export type AnyHandler = (
  req: { params: unknown; query: unknown; body: unknown },
  scope: RequestScope,
) => Promise<unknown>
