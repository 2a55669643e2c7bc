import type { z } from 'zod'
import { type Downloaded, downloadFacts, type ResumeAt, resumeHeaders } from './downloaded.ts'
import type { Contract, DownloadNotes, Endpoint, SocketNotes, UploadNotes } from './endpoint.ts'

type Part<K extends string, S> = S extends z.ZodType
  ? object extends z.input<S>
    ? { [P in K]?: z.input<S> }
    : { [P in K]: z.input<S> }
  : object
/** A file that is chosen in the browser, or one of the disk with `openAsBlob`. */
type UploadPart<E> = E extends { upload: UploadNotes } ? { upload: Blob } : object
/** What has to be there, and what must not: an ETag, or * for anything. */
type ConditionPart<E> = E extends { conditional: true } ? { ifMatch?: string; ifNoneMatch?: string } : object
type ResumePart<E> = E extends { download: { ranges: true } } ? { resumeAt?: ResumeAt } : object
type Args<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']> &
  UploadPart<E> &
  ConditionPart<E> &
  ResumePart<E>
type Answer<E extends Endpoint> = E extends { download: DownloadNotes }
  ? Downloaded
  : E['reply'] extends z.ZodType
    ? z.output<E['reply']>
    : never
type Call<E extends Endpoint> =
  object extends Args<E> ? (args?: Args<E>) => Promise<Answer<E>> : (args: Args<E>) => Promise<Answer<E>>

/** Sockets are left out: they have no single answer. */
export type Client<C extends Contract> = {
  [K in keyof C as C[K] extends { socket: SocketNotes } ? never : K]: Call<C[K]>
}

export interface Outgoing {
  method: string
  url: string
  /** JSON; with an upload that is a form, the fields next to its file. */
  body: unknown
  headers?: Record<string, string>
  upload?: { file: Blob; part: string | undefined }
  wantsBytes?: boolean
}

/**
 * Sends one request and returns the parsed JSON of a success, or the `Response` itself where bytes are wanted; throws
 * on anything else.
 */
export type Transport = (request: Outgoing) => Promise<unknown>

type Scalar = string | number | boolean | null | undefined
export interface AnyArgs {
  params?: Record<string, Scalar>
  query?: Record<string, Scalar>
  body?: unknown
  upload?: Blob
  ifMatch?: string
  ifNoneMatch?: string
  resumeAt?: ResumeAt
}

/** The address of one call: path placeholders and query filled in, every part encoded. */
export const callUrl = (endpoint: Endpoint, args: AnyArgs): string => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(args.params?.[name] ?? '')),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(args.query ?? {}))
    if (value !== undefined && value !== null) query.set(name, String(value))
  return query.size > 0 ? `${path}?${query.toString()}` : path
}

const asCondition = (etag: string): string => (etag === '*' ? etag : `"${etag}"`)

export const callHeaders = ({ ifMatch, ifNoneMatch, resumeAt }: AnyArgs): Record<string, string> => ({
  ...(ifMatch === undefined ? {} : { 'if-match': asCondition(ifMatch) }),
  ...(ifNoneMatch === undefined ? {} : { 'if-none-match': asCondition(ifNoneMatch) }),
  ...(resumeAt === undefined ? {} : resumeHeaders(resumeAt)),
})

const outgoing = (endpoint: Endpoint, args: AnyArgs): Outgoing => ({
  method: endpoint.method,
  url: callUrl(endpoint, args),
  body: args.body,
  headers: callHeaders(args),
  ...(args.upload === undefined ? {} : { upload: { file: args.upload, part: endpoint.upload?.part } }),
  wantsBytes: endpoint.download !== undefined,
})

const downloaded = ({ headers, body }: Response): Downloaded => ({
  ...downloadFacts(name => headers.get(name)),
  bytes: body ?? new Blob([]).stream(),
})

/** A typed client: one method per endpoint id. Answers are checked against the contract. */
export const client = <C extends Contract>(contract: C, send: Transport): Client<C> =>
  Object.fromEntries(
    Object.entries(contract)
      .filter(([, endpoint]) => !endpoint.socket)
      .map(([id, endpoint]) => [
        id,
        async (args: AnyArgs = {}) => {
          const answer = await send(outgoing(endpoint, args))
          return endpoint.reply ? endpoint.reply.parse(answer) : downloaded(answer as Response)
        },
      ]),
  ) as unknown as Client<C>
