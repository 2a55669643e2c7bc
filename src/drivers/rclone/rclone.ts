import type { Argv } from '#platform/host/command.ts'
import { HostError } from '#platform/host/errors.ts'
import { type Fault, findFault } from './fault.ts'

/** Storage elsewhere refused something, or could not be reached. Where its words are known, the message is in ours. */
export class RcloneError extends HostError {
  readonly fault: Fault | undefined
  readonly exitCode: number

  constructor(exitCode: number, message: string, output = '') {
    const fault = findFault(output)
    super(fault?.message ?? message, { output })
    this.fault = fault
    this.exitCode = exitCode
  }

  get code(): string {
    return this.fault ? `storage_${this.fault.kind}` : 'rclone_error'
  }

  override get isPassing(): boolean {
    return this.fault?.isPassing === true
  }
}

/** What rclone says by its exit code; all else is a failure without a name. */
const NO_FOLDER = 3
const NO_FILE = 4
/** Of `hashsum`: what was read can't be decrypted, or ends too early. */
export const NO_HASH: readonly number[] = [1, 5]

interface RunOptions {
  readonly stdin?: string
  /** Ten minutes if absent. */
  readonly timeoutMs?: number
}

/** Runs a program where the configuration is. */
export type Run = (
  argv: Argv,
  options?: RunOptions,
) => Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>

/** A storage that is reached by one remote of the configuration. */
export interface Storage {
  readonly run: Run
  /** Such as `offsite:`; names of files follow it. */
  readonly remote: string
}

const rclone = async (
  { run }: Storage,
  words: readonly string[],
  { allowExitCodes = [], ...options }: RunOptions & { readonly allowExitCodes?: readonly number[] } = {},
) => {
  const ended = await run(['rclone', ...words], options)
  if (ended.exitCode === 0 || allowExitCodes.includes(ended.exitCode)) return ended
  throw new RcloneError(ended.exitCode, `rclone ${words[0]} ended with exit code ${ended.exitCode}`, ended.stderr)
}

/** The names in a folder; none when there is no such folder. */
export const listNames = async (storage: Storage, folder = ''): Promise<string[]> => {
  const { stdout } = await rclone(storage, ['lsf', '--', `${storage.remote}${folder}`], { allowExitCodes: [NO_FOLDER] })
  return stdout.split('\n').filter(name => name !== '')
}

export const writeText = async (storage: Storage, name: string, text: string): Promise<void> => {
  await rclone(storage, ['rcat', '--', `${storage.remote}${name}`], { stdin: text })
}

export const readText = async (storage: Storage, name: string): Promise<string> =>
  (await rclone(storage, ['cat', '--', `${storage.remote}${name}`])).stdout

/** Harmless when there is none. */
export const deleteFile = async (storage: Storage, name: string): Promise<void> => {
  await rclone(storage, ['deletefile', '--', `${storage.remote}${name}`], { allowExitCodes: [NO_FOLDER, NO_FILE] })
}

/** With everything in it; harmless when there is none. */
export const deleteFolder = async (storage: Storage, folder: string): Promise<void> => {
  await rclone(storage, ['purge', '--', `${storage.remote}${folder}`], {
    allowExitCodes: [NO_FOLDER],
    timeoutMs: 6 * 3_600_000,
  })
}

export interface Stored {
  readonly path: string
  readonly sizeBytes: number
}

/** Every file below a folder. */
export const listFiles = async (storage: Storage, folder: string): Promise<Stored[]> => {
  const words = ['lsf', '--recursive', '--files-only', '--format', 'sp', '--', `${storage.remote}${folder}`]
  const { exitCode, stdout } = await rclone(storage, words, { allowExitCodes: [NO_FOLDER], timeoutMs: 3_600_000 })
  // A part of a list is not a list.
  if (exitCode !== 0 && stdout !== '') throw new RcloneError(exitCode, 'a folder could not be listed to its end')
  return stdout.split('\n').flatMap(line => {
    const [, size, path] = /^(-?\d+);(.+)$/.exec(line) ?? []
    return path === undefined ? [] : [{ path, sizeBytes: Number(size) }]
  })
}

/**
 * Reads files of a folder back; the SHA-256 of each, by its path. What could not be read has none: rclone says the same of
 * damage and of a connection that broke. A storage that can't be reached afterwards is an error.
 */
export const hashFiles = async (
  storage: Storage,
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const words = ['hashsum', 'sha256', '--download', '--files-from-raw', '-', '--', `${storage.remote}${folder}`]
  const stdin = `${paths.join('\n')}\n`
  const { exitCode, stdout } = await storage.run(['rclone', ...words], { stdin, timeoutMs: 12 * 3_600_000 })
  if (exitCode !== 0) await listNames(storage, folder)
  return new Map(
    stdout.split('\n').flatMap(line => {
      const [, hash, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
      return hash === undefined || path === undefined ? [] : [[path, hash] as const]
    }),
  )
}

/** A file or a folder of the machine, under another name there. */
export const upload = async (storage: Storage, path: string, name: string): Promise<void> => {
  await rclone(storage, ['copyto', '--', path, `${storage.remote}${name}`])
}

/** Brings a folder to the machine; false when some of its files could not be read. */
export const downloadFolder = async (storage: Storage, folder: string, target: string): Promise<boolean> => {
  const words = ['copy', '--exclude', 'locks/**', '--', `${storage.remote}${folder}`, target]
  const { exitCode } = await storage.run(['rclone', ...words], { timeoutMs: 24 * 3_600_000 })
  return exitCode === 0
}
