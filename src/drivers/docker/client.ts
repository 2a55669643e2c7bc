import { Agent, type ClientRequest, type ClientRequestArgs, type IncomingMessage, request } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { DialFailed, HostError, HostTimeout, OutputTooLarge, ProgramDown } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'

const ENGINE_SOCKET = '/var/run/docker.sock'
/** What this driver was written against: older engines are asked in their own version, newer ones in this. */
const NEWEST_KNOWN_VERSION = '1.44'
/** The answer when a container to be started runs, or one to be stopped does not. */
const ALREADY_SO = 304
const MAX_CONNECTIONS = 16
const MAX_IDLE_CONNECTIONS = 2
const ANSWER_TIMEOUT_MS = 60_000
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

const BEING_STARTED = /container \S+ is restarting|task \S+: already exists/i

/** The engine answered, and refused. */
export class DockerError extends HostError {
  readonly code = 'docker_error'
  readonly status: number

  /** `output` is what the engine, or a program in a container, said. */
  constructor(status: number, message: string, output = '') {
    super(message, { output })
    this.status = status
  }

  /** An engine that has just come back starts containers by itself, and refuses to do the same at once. */
  override get isPassing(): boolean {
    return this.status === 503 || BEING_STARTED.test(this.output)
  }
}

export interface DockerRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** A tar to send instead of JSON. */
  readonly upload?: Readable
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** For the whole exchange of `json` and `send`, a minute if absent; streams have no limit but their signal. */
  readonly timeoutMs?: number
}

export interface Cancellation {
  readonly signal?: AbortSignal | undefined
}

/** The Engine API of one host, spoken through whatever connection the host has. */
export class Docker {
  readonly host: Host
  readonly #agent: DialAgent
  #version: Promise<string> | undefined

  constructor(host: Host) {
    this.host = host
    this.#agent = new DialAgent(host)
  }

  async json<T>(schema: z.ZodType<T>, asked: DockerRequest): Promise<T> {
    return schema.parse(JSON.parse(await this.#text(asked)))
  }

  /** For what answers nothing of interest. */
  async send(asked: DockerRequest): Promise<void> {
    await this.#text(asked)
  }

  /** The answer as a stream; anyone who asked must read it to the end or destroy it. */
  async open(asked: DockerRequest): Promise<IncomingMessage> {
    const answer = await this.#ask(asked)
    if ('connection' in answer) throw new DockerError(500, 'Docker switched protocols unexpectedly')
    return answer.response
  }

  /** The raw connection after the engine has switched to it. */
  async hijack(asked: DockerRequest): Promise<Duplex> {
    const answer = await this.#ask({ ...asked, headers: { connection: 'Upgrade', upgrade: 'tcp' } })
    if ('connection' in answer) return answer.connection
    answer.response.destroy()
    throw new DockerError(500, 'Docker did not hand over the connection')
  }

  async #text(asked: DockerRequest): Promise<string> {
    const { timeoutMs = ANSWER_TIMEOUT_MS, signal } = asked
    const tooLate = AbortSignal.timeout(timeoutMs)
    try {
      const both = signal === undefined ? tooLate : AbortSignal.any([signal, tooLate])
      return await textOf(await this.open({ ...asked, signal: both }))
    } catch (error) {
      signal?.throwIfAborted()
      if (tooLate.aborted) throw new HostTimeout(this.host.name, timeoutMs)
      throw this.failure(error)
    }
  }

  async #ask(asked: DockerRequest): Promise<Answer> {
    asked.signal?.throwIfAborted()
    const version = await this.#apiVersion()
    const answer = await this.#exchange(`/v${version}${asked.path}${queryOf(asked.query)}`, asked)
    if ('connection' in answer) return answer
    const { statusCode = 500 } = answer.response
    if (statusCode < 300 || statusCode === ALREADY_SO) return answer
    throw new DockerError(
      statusCode,
      `Docker refused with status ${statusCode}`,
      messageIn(await textOf(answer.response)),
    )
  }

  #apiVersion(): Promise<string> {
    this.#version ??= this.#exchange('/_ping', { path: '/_ping', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
      .then(async answer => {
        if ('connection' in answer) throw new DockerError(500, 'Docker switched protocols unexpectedly')
        await textOf(answer.response)
        return olderOf(String(answer.response.headers['api-version'] ?? NEWEST_KNOWN_VERSION), NEWEST_KNOWN_VERSION)
      })
      .catch(error => {
        this.#version = undefined
        throw error
      })
    return this.#version
  }

  async #exchange(path: string, asked: DockerRequest): Promise<Answer> {
    const { method = 'GET', headers, signal } = asked
    const type = asked.upload === undefined ? 'application/json' : 'application/x-tar'
    const start = () =>
      request({
        agent: this.#agent,
        method,
        path,
        headers: { host: 'docker', 'content-type': type, ...headers },
        ...(signal && { signal }),
      })
    const outgoing = start()
    try {
      return await answerTo(outgoing, asked)
    } catch (error) {
      signal?.throwIfAborted()
      // An idle connection may have been closed by an engine that restarted; asking again changes nothing.
      if (method === 'GET' && outgoing.reusedSocket) return await answerTo(start(), asked)
      throw this.failure(error)
    }
  }

  /** What went wrong while an answer was read, as an error of the host. */
  failure(error: unknown): unknown {
    const isOfEngine = error instanceof DialFailed || !(error instanceof HostError || error instanceof z.ZodError)
    return isOfEngine ? new ProgramDown('Docker', this.host.name, error) : error
  }
}

type Answer = { readonly response: IncomingMessage } | { readonly connection: Duplex }

/** A name or image reference within a path: none can point to another endpoint. */
export const segment = (name: string): string => {
  const isPlain = name.split('/').every(part => /^\w[\w.:@+-]*$/.test(part))
  if (!isPlain) throw new DockerError(400, `${JSON.stringify(name)} is not a valid Docker name`)
  return encodeURIComponent(name)
}

/** Undefined for what the engine does not have. */
export const unlessMissing = (error: unknown): undefined => {
  if (error instanceof DockerError && error.status === 404) return undefined
  throw error
}

/** Keeps connections that the host makes. */
class DialAgent extends Agent {
  readonly #host: Host

  constructor(host: Host) {
    super({ keepAlive: true, maxSockets: MAX_CONNECTIONS, maxFreeSockets: MAX_IDLE_CONNECTIONS })
    this.#host = host
  }

  override createConnection(_: ClientRequestArgs, done?: (error: Error | null, stream: Duplex) => void): undefined {
    void this.#connect(done as (error: unknown, stream?: Duplex) => void)
  }

  async #connect(done: (error: unknown, stream?: Duplex) => void): Promise<void> {
    try {
      done(null, asSocket(await this.#host.dial({ socketPath: ENGINE_SOCKET })))
    } catch (error) {
      done(error)
    }
  }
}

const nothing = () => {}

/** A forwarded stream lacks what the agent calls on a socket. */
const asSocket = (stream: Duplex): Duplex =>
  stream instanceof Socket
    ? stream
    : Object.assign(stream, { ref: nothing, unref: nothing, setKeepAlive: nothing, setTimeout: nothing })

const answerTo = (outgoing: ClientRequest, { body, upload }: DockerRequest): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  outgoing.once('response', response => resolve({ response }))
  outgoing.once('upgrade', (_, connection: Duplex, head) => {
    if (head.length > 0) connection.unshift(head)
    resolve({ connection })
  })
  outgoing.on('error', reject)
  if (upload === undefined) outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  else pipeline(upload, outgoing).catch(reject)
  return promise
}

const textOf = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > MAX_ANSWER_BYTES) throw new OutputTooLarge('the response of Docker', MAX_ANSWER_BYTES)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const queryOf = (query: DockerRequest['query'] = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return given.length === 0 ? '' : `?${given.join('&')}`
}

const Refusal = z.object({ message: z.string() })

const messageIn = (text: string): string => {
  try {
    return Refusal.parse(JSON.parse(text)).message
  } catch {
    return text.trim() || 'Docker gave no reason'
  }
}

const olderOf = (a: string, b: string): string => {
  const [major = 0, minor = 0] = a.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = b.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor) ? a : b
}
