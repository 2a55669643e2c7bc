import type { z } from 'zod'
import type { Contract, Endpoint, SocketNotes } from './endpoint.ts'

type Part<K extends string, S> = S extends z.ZodType
  ? object extends z.input<S>
    ? { [P in K]?: z.input<S> }
    : { [P in K]: z.input<S> }
  : object
type Args<E extends Endpoint> = Part<'params', E['params']> & Part<'query', E['query']> & Part<'body', E['body']>
type Call<E extends Endpoint> =
  object extends Args<E>
    ? (args?: Args<E>) => Promise<z.output<E['reply']>>
    : (args: Args<E>) => Promise<z.output<E['reply']>>

/** Sockets are left out: they are no question with an answer. */
export type Client<C extends Contract> = {
  [K in keyof C as C[K] extends { socket: SocketNotes } ? never : K]: Call<C[K]>
}

export interface Outgoing {
  method: string
  url: string
  body: unknown
}

/** Sends one request and returns the parsed JSON of a success; throws on anything else. */
export type Transport = (request: Outgoing) => Promise<unknown>

type Scalar = string | number | boolean | null | undefined
export type AnyArgs = { params?: Record<string, Scalar>; query?: Record<string, Scalar>; body?: unknown }

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

/** A typed client: one method per endpoint id. Answers are checked against the contract. */
export const client = <C extends Contract>(contract: C, send: Transport): Client<C> =>
  Object.fromEntries(
    Object.entries(contract)
      .filter(([, endpoint]) => !endpoint.socket)
      .map(([id, endpoint]) => [
        id,
        async (args: AnyArgs = {}) =>
          endpoint.reply.parse(await send({ method: endpoint.method, url: callUrl(endpoint, args), body: args.body })),
      ]),
  ) as unknown as Client<C>
