import type { Duplex, Readable } from 'node:stream'
import type { Command } from './command.ts'
import type { Secret } from './secret.ts'

/** The panel's connection to one machine. Every path is absolute; failures are the classes of errors.ts. */
export interface Host {
  readonly name: string

  /** Runs to the end and keeps the output. Any exit code but 0 and `allowExitCodes` throws `CommandFailed`. */
  run(command: Command, options?: RunOptions): Promise<RunResult>

  /** Hands the output on as it comes: the command waits while a callback's promise is open. */
  stream(command: Command, options?: StreamOptions): Promise<StreamResult>

  /** A connection made from the host itself; throws `DialFailed` when nothing answers there. */
  dial(address: DialAddress, options?: DialOptions): Promise<Duplex>

  /** A login shell of root in a terminal, in the home folder. */
  shell(options: ShellOptions): Promise<HostShell>

  /** Regular files only, so that a pipe or device put in its place cannot hang the panel. */
  readFile(path: string, options?: ReadFileOptions): Promise<Buffer>

  /** Replaces the file in one step: a reader sees the old or the new one, and a link is replaced, not followed. */
  writeFile(path: string, data: string | Buffer | Secret, options?: WriteFileOptions): Promise<void>

  /** Like `writeFile`, from a stream; when the stream fails nothing is left behind. */
  upload(source: Readable, path: string, options?: UploadOptions): Promise<void>

  /** Resolves once the file is open; anyone who asked must read the stream or destroy it. */
  download(path: string): Promise<Readable>

  /** Harmless when the file is absent; never a folder. */
  removeFile(path: string): Promise<void>

  /** Makes the folder and its parents if absent, then gives the folder itself this mode and owner. */
  makeDir(path: string, options?: MakeDirOptions): Promise<void>

  /** About the entry itself: a link is not followed. */
  stat(path: string): Promise<FileStat>

  /** Sorted by name. */
  listDir(path: string): Promise<DirEntry[]>
}

interface ProcessOptions {
  /** When it passes, the whole process group is ended and `HostTimeout` thrown. No limit if absent. */
  readonly timeoutMs?: number | undefined
  /** When it aborts, the whole process group is ended and the abort's reason thrown. */
  readonly signal?: AbortSignal | undefined
  /** The root folder if absent. */
  readonly cwd?: string | undefined
  /** The account to run as, the file of `into` included. */
  readonly user?: string | undefined
  /** For what is not a string; a command that brings its own stdin refuses a second one. */
  readonly stdin?: string | Buffer | Secret | Readable | undefined
  /** Exit codes, apart from 0, that are answers and not failures. */
  readonly allowExitCodes?: readonly number[] | undefined
}

export interface RunOptions extends ProcessOptions {
  /** For stdout and stderr together, 16 MiB if absent. Beyond it the command is ended and `OutputTooLarge` thrown. */
  readonly maxOutputBytes?: number | undefined
}

export interface StreamOptions extends ProcessOptions {
  readonly onStdout?: OnChunk | undefined
  readonly onStderr?: OnChunk | undefined
}

export type OnChunk = (chunk: Buffer) => void | Promise<void>

export interface StreamResult {
  readonly exitCode: number
}

/** The output read as UTF-8; what is not text belongs into `stream`, `readFile` or `download`. */
export interface RunResult extends StreamResult {
  readonly stdout: string
  readonly stderr: string
}

export type DialAddress = { readonly socketPath: string } | { readonly host?: string; readonly port: number }

export interface DialOptions {
  /** Until the connection stands, 10 s if absent. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ShellOptions {
  readonly cols: number
  readonly rows: number
  /** When it aborts, the shell is ended. */
  readonly signal?: AbortSignal | undefined
}

/** What the terminal shows is read from it, what a person types is written to it. */
export interface HostShell extends Duplex {
  readonly exited: Promise<Exit>
  resize(cols: number, rows: number): void
  /** Hangs up: resolves when the shell is gone or cannot be reached any more. */
  kill(): Promise<void>
}

export interface Exit {
  /** 128 + the signal's number for a program that a signal ended, as a shell reports it. */
  readonly exitCode: number
  readonly signal: string | null
}

export interface ReadFileOptions {
  /** 16 MiB if absent; a larger file throws `OutputTooLarge`. */
  readonly maxBytes?: number | undefined
}

export interface Owner {
  readonly uid: number
  readonly gid: number
}

export interface WriteFileOptions {
  /** Set before the first byte is written, 0600 if absent. */
  readonly mode?: number | undefined
  readonly owner?: Owner | undefined
}

export interface UploadOptions extends WriteFileOptions {
  readonly signal?: AbortSignal | undefined
}

export interface MakeDirOptions {
  /** 0755 if absent. */
  readonly mode?: number | undefined
  readonly owner?: Owner | undefined
}

export type FileKind = 'file' | 'directory' | 'link' | 'other'

export interface FileStat {
  readonly kind: FileKind
  readonly sizeBytes: number
  /** Permission bits only. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly modifiedAtMs: number
}

export interface DirEntry {
  readonly name: string
  readonly kind: FileKind
}
