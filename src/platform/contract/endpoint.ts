import type { z } from 'zod'
import type { Level } from './level.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One endpoint, as data. Routes, OpenAPI, client, CLI, MCP reach, access table and activity log follow from it. */
export type Endpoint = EndpointNotes & Answer

/** JSON as the schema says, or bytes. */
type Answer = { reply: z.ZodType; download?: never } | { reply?: never; download: DownloadNotes }

interface EndpointNotes {
  method: Method
  path: string
  level: Level
  /** A higher level that some inputs need; the handler asks for it with `requireLevel`. */
  raised?: { level: Level; when: string }
  summary: string
  /** How an AI connection reaches it; `yes` when left out. */
  mcp?: 'yes' | 'no' | 'file-tools'
  /**
   * What a caller gets who is limited to some sites. Left out, only what has one of them in its path. `named`: also what
   * names them in query or body and touches no other. `kept`: the handler leaves out all others. `none`: is about no site.
   */
  sites?: 'named' | 'kept' | 'none'
  /** Starts a job and answers 202 with it; `sometimes` when the answer's `job` may also be null, `many` for a list. */
  job?: true | 'sometimes' | 'many'
  destructive?: true
  /** Refuses API keys: it asks for the caller's own password or acts on the caller's own account. */
  personOnly?: true
  /** The endpoint's own limit per caller, next to the general one. */
  limit?: { requests: number; windowMs: number }
  /** Programs on the panel's own machine that are not signed in are never turned away: what watches it must get an answer. */
  unlimitedHere?: true
  params?: z.ZodObject
  query?: z.ZodObject
  /** The JSON body; with an `upload` that is a form, the fields next to its file. */
  body?: z.ZodType
  /** The longest JSON body it takes, where the usual limit is not right. */
  maxBodyBytes?: number
  /** Takes a body of bytes, streamed to the handler. */
  upload?: UploadNotes
  /** Takes `If-Match` and `If-None-Match`, which the handler checks against what is there with `requireConditions`. */
  conditional?: true
  status?: 200 | 201 | 202
  /** Answers with a WebSocket; `reply` is what the panel sends over it as JSON. */
  socket?: SocketNotes
}

export interface UploadNotes {
  /** What is longer is refused, before it is read where its length is known. */
  maxBytes: number
  /** The body is a multipart form with the file in this part, after the fields of `body`; without it the bytes are the whole body. */
  part?: string
}

export interface DownloadNotes {
  /** The content type. */
  type: string
  /** Parts of it can be asked for, so a download that broke off can be resumed. */
  ranges?: true
}

export interface SocketNotes {
  /** What is said over it, for people who write the other end. */
  about: string
  /** How many may be open at a time, for one caller and for all together. */
  perCaller: number
  inAll: number
}

/** An endpoint as the panel serves it: with its operation id, and its group as the spec names it. */
export interface ServedEndpoint {
  readonly id: string
  readonly group: string | undefined
  readonly endpoint: Endpoint
}

export type Contract = Record<string, Endpoint>

type In<S> = S extends z.ZodType ? z.output<S> : undefined
export type Request<E extends Endpoint> = { params: In<E['params']>; query: In<E['query']>; body: In<E['body']> }
export type Reply<E extends Endpoint> = E['reply'] extends z.ZodType ? z.input<E['reply']> : never

/** Keeps the literal types of a contract, so that handlers and clients are typed from it. */
export const contract = <const C extends Contract>(c: C): C => c

/** The job that an answer tells of, if its endpoint starts one. */
export const startedJob = (e: Endpoint, reply: unknown): { id: string } | null =>
  e.job && e.job !== 'many' ? (reply as { job: { id: string } | null }).job : null

/** That of an answer that tells of a job. */
export const ACCEPTED = 202

/** That of an answer that is a part of the bytes. */
export const PARTIAL = 206
/** That of an answer without the bytes, because the caller has them already. */
export const UNCHANGED = 304

export const successStatus = (e: Endpoint): number =>
  e.socket ? 101 : (e.status ?? (e.job && e.job !== 'sometimes' ? ACCEPTED : 200))

/** Every status a success can have. */
export const successStatuses = (e: Endpoint): number[] => [
  ...new Set([
    successStatus(e),
    ...(e.job === 'sometimes' ? [ACCEPTED] : []),
    ...(e.download?.ranges ? [PARTIAL] : []),
    ...(e.download ? [UNCHANGED] : []),
  ]),
]
