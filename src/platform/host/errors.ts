import { KnownError } from '#platform/contract/known-error.ts'

/** Everything a host refuses or fails at; `code` is stable, the message is for people. */
export abstract class HostError extends KnownError {
  /** Whether the same may succeed a moment later, such as when the server is back. */
  get isPassing(): boolean {
    return false
  }
}

/** A server, or a program on it, is down or restarts. */
abstract class PassingHostError extends HostError {
  override get isPassing(): boolean {
    return true
  }
}

/** The machine, or its shell, could not be reached at all. */
export class HostUnreachable extends PassingHostError {
  readonly code = 'host_unreachable'
  readonly host: string

  /** The cause is an error of others, or the reason in our own words. */
  constructor(host: string, cause: unknown) {
    super(`can't reach ${host}${reasonOf(cause)}`, typeof cause === 'string' ? {} : { cause })
    this.host = host
  }
}

/** Someone else may be answering in its place, so nothing was sent, not even a login. */
export class HostKeyChanged extends HostError {
  readonly code = 'host_key_changed'
  readonly host: string
  /** The fingerprint that was trusted so far. */
  readonly expected: string
  /** Null when the server has no key of the trusted kind any more. */
  readonly offered: string | null

  constructor(host: string, expected: string, offered: string | null) {
    const shown = offered === null ? 'no longer has a key of that type' : `presents ${offered}`
    super(
      `${host} ${shown}, but ${expected} was trusted before: compare them on the server before you trust the new one`,
    )
    this.host = host
    this.expected = expected
    this.offered = offered
  }
}

/** The machine answers and is the right one, but does not let the panel in, or not as root. */
export class HostRefusedLogin extends HostError {
  readonly code = 'host_refused_login'
  readonly host: string
  readonly user: string

  constructor(host: string, user: string, advice: string, output = '') {
    super(`${host} refused to sign in ${user}: ${advice}`, { output })
    this.host = host
    this.user = user
  }
}

export class HostTimeout extends PassingHostError {
  readonly code = 'host_timeout'
  readonly host: string
  readonly timeoutMs: number

  constructor(host: string, timeoutMs: number) {
    super(`${host} did not finish within ${timeoutMs} ms`)
    this.host = host
    this.timeoutMs = timeoutMs
  }
}

export interface FailedCommand {
  readonly host: string
  /** The text as it ran: a secret is never a word, so it can be shown. */
  readonly command: string
  /** 128 + the signal's number for a command that a signal ended, as a shell reports it. */
  readonly exitCode: number
  readonly signal: string | null
  /** Its last 4 KiB. */
  readonly stderr: string
}

export class CommandFailed extends HostError implements FailedCommand {
  readonly code = 'command_failed'
  readonly host: string
  readonly command: string
  readonly exitCode: number
  readonly signal: string | null

  constructor({ host, command, exitCode, signal, stderr }: FailedCommand) {
    super(`command ended with ${signal ?? `exit code ${exitCode}`} on ${host}`, { output: stderr })
    this.host = host
    this.command = command
    this.exitCode = exitCode
    this.signal = signal
  }

  get stderr(): string {
    return this.output
  }
}

/** Work that ran detached and is gone without an exit code: the machine was restarted or someone ended it. */
export class DetachedLost extends PassingHostError {
  readonly code = 'detached_lost'
  readonly host: string
  readonly id: string

  constructor(host: string, id: string) {
    super(`${id} ended on ${host} before it was done: the server was restarted, or the process was killed`)
    this.host = host
    this.id = id
  }
}

/** The lock file on the server was let go before the work under it was done. */
export class LockLost extends PassingHostError {
  readonly code = 'lock_lost'

  constructor(host: string, file: string) {
    super(`the lock ${file} on ${host} was lost; try again`)
  }
}

/** More output than the caller was ready for: half of a list must never be taken for the list. */
export class OutputTooLarge extends HostError {
  readonly code = 'output_too_large'
  readonly maxBytes: number

  constructor(what: string, maxBytes: number) {
    super(`${what} is larger than ${maxBytes} bytes`)
    this.maxBytes = maxBytes
  }
}

/** The host is there, but nothing answers at this socket or port. */
export class DialFailed extends PassingHostError {
  readonly code: string = 'dial_failed'

  constructor(host: string, address: string, cause: unknown) {
    super(`nothing responds at ${address} on ${host}${reasonOf(cause)}`, { cause })
  }
}

/** The host is there, but a program that the panel needs on it does not answer or has hung up. */
export class ProgramDown extends DialFailed {
  override readonly code: string

  constructor(program: 'Docker' | 'MariaDB', host: string, cause: unknown) {
    super(host, program, cause)
    this.code = `${program.toLowerCase()}_down`
    this.message = `${program} on ${host} does not answer; it may be restarting`
  }
}

export class FileNotFound extends HostError {
  readonly code = 'file_not_found'
  readonly path: string

  constructor(path: string, cause?: unknown) {
    super(`${path} does not exist`, { cause })
    this.path = path
  }
}

/** `reason` is the errno's name (EACCES, ENOSPC, EISDIR ...), or `not_a_file` for what is not a regular file. */
export class FileFailed extends HostError {
  readonly code = 'file_failed'
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path}: ${reason}`, { cause })
    this.path = path
    this.reason = reason
  }
}

/** A word or path that no program could receive unchanged. */
export class InvalidWord extends HostError {
  readonly code = 'invalid_word'
}

/** A command value that has no meaning, whatever the host. */
export class InvalidCommand extends HostError {
  readonly code = 'invalid_command'
}

/** The system's name for a failed call, undefined for every other error. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ENOTFOUND: 'its name does not resolve',
  EAI_AGAIN: 'its name could not be looked up',
  EPIPE: 'it closed the connection',
  ETIMEDOUT: 'it does not answer',
}

/** Only words of ours or of our own system; what the other end said stays in the cause. */
const reasonOf = (cause: unknown): string => {
  if (typeof cause === 'string') return `: ${cause}`
  const errno = errnoOf(cause)
  return errno !== undefined && cause instanceof Error ? `: ${NETWORK_REASONS[errno] ?? cause.message}` : ''
}
