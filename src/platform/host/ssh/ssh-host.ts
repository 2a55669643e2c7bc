import { randomBytes } from 'node:crypto'
import type { Duplex, Readable } from 'node:stream'
import { collectOutput } from '../collect-output.ts'
import type { Command } from '../command.ts'
import type {
  DialAddress,
  DialOptions,
  Host,
  HostShell,
  MakeDirOptions,
  ReadFileOptions,
  RunOptions,
  ShellOptions,
  StreamOptions,
  StreamResult,
  UploadOptions,
  WriteFileOptions,
} from '../host.ts'
import { refuseUnsendable } from '../quote.ts'
import { Secret } from '../secret.ts'
import { shellText } from '../shell-text.ts'
import { type RunningProcess, stdinFor, supervise } from '../supervise.ts'
import { type Connection, connect, type SshTarget } from './connect.ts'
import {
  listRemoteDir,
  makeRemoteDir,
  openRemoteFile,
  readRemoteFile,
  removeRemoteFile,
  replaceRemoteFile,
  statRemoteFile,
} from './remote-files.ts'
import { type Session, startIn, startSession } from './session.ts'
import { dialLimit, dialThrough, nameOf } from './ssh-dial.ts'
import { shellThrough } from './ssh-shell.ts'

export type { SshTarget } from './connect.ts'

export interface SshHostOptions {
  /** Until the target says how it is called now. */
  readonly name: string
  /** Asked for every connection, so that a new address, account or key is used from then on. */
  readonly target: () => Promise<SshTarget>
  /** A connection that is silent for three times as long is lost; 10 s if absent. */
  readonly keepaliveMs?: number
}

const KEEPALIVE_MS = 10_000
const DIAL_TIMEOUT_MS = 10_000

/** Another machine, through one connection that is made when it is first used and recreated when it was lost. */
export class SshHost implements Host {
  #name: string
  readonly #target: () => Promise<SshTarget>
  readonly #keepaliveMs: number
  #session: Promise<Session> | undefined
  /** What marks the processes of the connection before this one, so that none of them outlives a new login. */
  #previousToken = ''

  constructor({ name, target, keepaliveMs = KEEPALIVE_MS }: SshHostOptions) {
    this.#name = name
    this.#target = target
    this.#keepaliveMs = keepaliveMs
  }

  get name(): string {
    return this.#name
  }

  run(command: Command, options: RunOptions = {}) {
    return collectOutput(this, command, options)
  }

  async stream(command: Command, options: StreamOptions = {}): Promise<StreamResult> {
    const text = shellText(command, options, 'runuser')
    const stdin = stdinFor(command, options)
    const start = (signal: AbortSignal) => this.#start(text, signal)
    return supervise({ host: this.name, text, stdin, options, start })
  }

  async dial(address: DialAddress, { timeoutMs = DIAL_TIMEOUT_MS, signal }: DialOptions = {}): Promise<Duplex> {
    signal?.throwIfAborted()
    refuseUnsendable(nameOf(address))
    // Signing in has its own limit and tells better what is wrong.
    const { connection, dials } = await unlessAborted(this.#connected(), signal)
    const limit = dialLimit(this.name, timeoutMs, signal)
    try {
      return await dialThrough(connection, dials, { host: this.name, address, signal: limit.signal })
    } finally {
      limit.cancel()
    }
  }

  async shell(options: ShellOptions): Promise<HostShell> {
    options.signal?.throwIfAborted()
    const connection = await this.#signIn()
    return shellThrough(connection, options).catch(async error => {
      await connection.end()
      throw error
    })
  }

  readFile(path: string, { maxBytes }: ReadFileOptions = {}): Promise<Buffer> {
    return readRemoteFile(this, path, maxBytes)
  }

  writeFile(path: string, data: string | Buffer | Secret, options: WriteFileOptions = {}): Promise<void> {
    return replaceRemoteFile(this, path, data instanceof Secret ? data.reveal() : data, options)
  }

  upload(source: Readable, path: string, options: UploadOptions = {}): Promise<void> {
    return replaceRemoteFile(this, path, source, options)
  }

  download(path: string): Promise<Readable> {
    return openRemoteFile(this, path)
  }

  removeFile(path: string): Promise<void> {
    return removeRemoteFile(this, path)
  }

  makeDir(path: string, options: MakeDirOptions = {}): Promise<void> {
    return makeRemoteDir(this, path, options)
  }

  stat(path: string) {
    return statRemoteFile(this, path)
  }

  listDir(path: string) {
    return listRemoteDir(this, path)
  }

  /** Ends the connection and all that runs through it. A later use connects again. */
  async close(): Promise<void> {
    const session = await this.#session?.catch(() => undefined)
    await session?.connection.end()
  }

  async #start(text: string, signal: AbortSignal): Promise<RunningProcess> {
    return startIn(await unlessAborted(this.#connected(), signal), text, signal)
  }

  /** Anyone who comes while a connection is being made waits for the same one. */
  #connected(): Promise<Session> {
    if (this.#session !== undefined) return this.#session
    const session = this.#connect()
    this.#session = session
    const forget = () => {
      if (this.#session === session) this.#session = undefined
    }
    session.then(({ connection }) => connection.lost.addEventListener('abort', forget, { once: true }), forget)
    return session
  }

  async #signIn(): Promise<Connection> {
    const target = await this.#target()
    this.#name = target.name ?? this.#name
    return connect(this.#name, target, this.#keepaliveMs)
  }

  async #connect(): Promise<Session> {
    const connection = await this.#signIn()
    const token = `fleetpress-${randomBytes(8).toString('hex')}`
    const session = startSession(this.name, connection, {
      token,
      previousToken: this.#previousToken,
      keepaliveMs: this.#keepaliveMs,
    })
    this.#previousToken = token
    return session
  }
}

const unlessAborted = async <T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return promise
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
