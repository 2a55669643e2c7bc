import type {
  Contract,
  DownloadNotes,
  Endpoint,
  Reply,
  Request,
  SocketNotes,
  UploadNotes,
} from '#platform/contract/endpoint.ts'
import type { Scope } from '#platform/scope.ts'
import type { Conditions } from './bytes/conditions.ts'
import type { Download, RangedDownload } from './bytes/download.ts'
import type { Upload } from './bytes/upload.ts'
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

/** What a handler is asked: the checked input, and what else its contract says. */
type HandlerRequest<E extends Endpoint> = Request<E> &
  (E extends { upload: UploadNotes } ? { upload: Upload } : unknown) &
  (E extends { conditional: true } ? { conditions: Conditions } : unknown)

type HandlerReply<E extends Endpoint> = E extends { download: DownloadNotes }
  ? E extends { download: { ranges: true } }
    ? RangedDownload
    : Download
  : Reply<E>

/**
 * One handler per endpoint of a contract; a missing or misshapen one does not compile. That of a socket does what may
 * fail first, while the answer can still be an error, and returns what happens once the socket is open.
 */
export type Handlers<C extends Contract> = {
  [K in keyof C]: C[K] extends { socket: SocketNotes }
    ? (req: Request<C[K]>, scope: SocketScope) => Promise<Conversation>
    : (req: HandlerRequest<C[K]>, scope: RequestScope) => Promise<HandlerReply<C[K]>>
}

export interface AnyHandlerRequest {
  params: unknown
  query: unknown
  body: unknown
  upload?: Upload
  conditions?: Conditions
}

export type AnyHandler = (req: AnyHandlerRequest, scope: RequestScope) => Promise<unknown>
