import type { z } from 'zod'
import type { Level } from './level.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One endpoint, as data. Routes, OpenAPI, client, CLI, MCP reach, access table and activity log follow from it. */
export interface Endpoint {
  method: Method
  path: string
  level: Level
  /** A higher level that some inputs need; the handler asks for it with `requireLevel`. */
  raised?: { level: Level; when: string }
  summary: string
  /** How an AI connection reaches it; `yes` when left out. */
  mcp?: 'yes' | 'no' | 'file-tools'
  /** Starts a job and answers 202 with it; `sometimes` when the answer's `job` may also be null, `many` for a list. */
  job?: true | 'sometimes' | 'many'
  destructive?: true
  /** Refuses API keys: it asks for the caller's own password or acts on the caller's own account. */
  personOnly?: true
  /** The endpoint's own limit per caller, beside the general one. */
  limit?: { requests: number; windowMs: number }
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  reply: z.ZodType
  status?: 200 | 201 | 202
  /** Answers with a WebSocket; `reply` is what the panel sends over it as JSON. */
  socket?: SocketNotes
}

export interface SocketNotes {
  /** What is said over it, for people who write the other end. */
  about: string
  /** How many may be open at a time, for one caller and for all together. */
  perCaller: number
  inAll: number
}

export type Contract = Record<string, Endpoint>

type In<S> = S extends z.ZodType ? z.output<S> : undefined
export type Request<E extends Endpoint> = { params: In<E['params']>; query: In<E['query']>; body: In<E['body']> }
export type Reply<E extends Endpoint> = z.input<E['reply']>

/** Keeps the literal types of a contract, so that handlers and clients are typed from it. */
export const contract = <const C extends Contract>(c: C): C => c

/** The job that an answer tells of, if its endpoint starts one. */
export const startedJob = (e: Endpoint, reply: unknown): { id: string } | null =>
  e.job && e.job !== 'many' ? (reply as { job: { id: string } | null }).job : null

/** That of an answer that tells of a job. */
export const ACCEPTED = 202

export const successStatus = (e: Endpoint): number =>
  e.socket ? 101 : (e.status ?? (e.job && e.job !== 'sometimes' ? ACCEPTED : 200))

/** Every status a success can have. */
export const successStatuses = (e: Endpoint): number[] => [
  ...new Set(e.job === 'sometimes' ? [successStatus(e), ACCEPTED] : [successStatus(e)]),
]
