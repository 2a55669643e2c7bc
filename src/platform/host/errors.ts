/** Everything a host refuses or fails at; `code` is stable, the message is for people. */
export abstract class HostError extends Error {
  abstract readonly code: string

  override get name(): string {
    return this.constructor.name
  }
}

/** The machine, or its shell, could not be reached at all. */
export class HostUnreachable extends HostError {
  readonly code = 'host_unreachable'
  readonly host: string

  constructor(host: string, cause: unknown) {
    super(`${host} cannot be reached: ${reasonOf(cause)}`, { cause })
    this.host = host
  }
}

/** Somebody else may be answering in its place, so nothing was sent, not even a login. */
export class HostKeyChanged extends HostError {
  readonly code = 'host_key_changed'
  readonly host: string
  /** The fingerprint that was trusted so far. */
  readonly expected: string
  /** Null when the server has no key of the trusted kind any more. */
  readonly offered: string | null

  constructor(host: string, expected: string, offered: string | null) {
    const shown = offered === null ? 'has no key of that kind any more' : `shows ${offered}`
    super(`${host} ${shown}, but ${expected} was trusted so far: compare them on the server before you trust it anew`)
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

  constructor(host: string, user: string, advice: string) {
    super(`${host} does not let ${user} in: ${advice}`)
    this.host = host
    this.user = user
  }
}

export class HostTimeout extends HostError {
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
  readonly stderr: string

  constructor({ host, command, exitCode, signal, stderr }: FailedCommand) {
    const ended = signal === null ? `exit code ${exitCode}` : signal
    const lastLine = stderr.trimEnd().split('\n').at(-1)
    super(`command ended with ${ended} on ${host}${lastLine ? `: ${lastLine}` : ''}`)
    this.host = host
    this.command = command
    this.exitCode = exitCode
    this.signal = signal
    this.stderr = stderr
  }
}

/** Work that ran detached and is gone without an exit code: the machine was restarted or somebody ended it. */
export class DetachedLost extends HostError {
  readonly code = 'detached_lost'
  readonly host: string
  readonly id: string

  constructor(host: string, id: string) {
    super(`${id} ended on ${host} before it was done: the server was restarted, or somebody ended it there`)
    this.host = host
    this.id = id
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
export class DialFailed extends HostError {
  readonly code = 'dial_failed'

  constructor(host: string, address: string, cause: unknown) {
    super(`nothing answers at ${address} on ${host}: ${reasonOf(cause)}`, { cause })
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

/** `reason` is the errno's name (EACCES, ENOSPC, EISDIR ...), or `not_a_file` for what is no regular file. */
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

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
