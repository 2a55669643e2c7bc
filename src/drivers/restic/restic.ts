import { z } from 'zod'
import type { Argv } from '#platform/host/command.ts'
import { HostError } from '#platform/host/errors.ts'
import type { OnChunk } from '#platform/host/host.ts'
import type { Secret } from '#platform/host/secret.ts'
import { blankRepositoryArgv } from './blank-repository.ts'

/** A repository was asked for something, and refused or failed. */
export class ResticError extends HostError {
  readonly code = 'restic_error'
  readonly exitCode: number

  constructor(exitCode: number, message: string, output = '') {
    super(message, { output })
    this.exitCode = exitCode
  }

  /** Whether the storage failed on the way: then what restic did not find may well be there. */
  get isUnsteady(): boolean {
    return hadTrouble(this.output)
  }
}

/** rclone says so whenever the storage fails it, and restic whenever it tries again. */
const hadTrouble = (stderr: string): boolean => /^rclone: .*\bERROR\b|returned error, retrying/m.test(stderr)

interface RunOptions {
  readonly stdin?: string | Buffer | Secret
  readonly onStdout?: OnChunk
  /** Ten minutes if absent. */
  readonly timeoutMs?: number
  /** Ends the program, too. */
  readonly signal?: AbortSignal
}

/** Runs a program where the repository is. */
export type Run = (
  argv: Argv,
  options?: RunOptions,
) => Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>

/** One repository, as seen by the programs that `run` starts. */
export interface Repository {
  readonly run: Run
  readonly folder: string
}

const LONG_MS = 12 * 3_600_000
/** Others that use the repository at the same time are waited for. */
const LOCK_PATIENCE = '5m'
const NO_REPOSITORY = 10

/** The repository itself is not encrypted: it lies next to the site, and copies elsewhere are encrypted on their way. */
export const resticArgv = (folder: string, ...words: string[]): Argv => [
  'restic',
  '--repo',
  folder,
  '--insecure-no-password',
  '--no-cache',
  '--retry-lock',
  LOCK_PATIENCE,
  ...words,
]

const succeed = async (
  { run, folder }: Repository,
  words: readonly string[],
  options: RunOptions & { readonly allowExitCodes?: readonly number[] } = {},
) => {
  const { allowExitCodes = [], ...others } = options
  const ended = await run(resticArgv(folder, ...words), others)
  if (ended.exitCode === 0 || allowExitCodes.includes(ended.exitCode)) return ended
  throw new ResticError(ended.exitCode, `restic ${words[0]} ended with exit code ${ended.exitCode}`, ended.stderr)
}

/** Created where there is none. */
export const ensureRepository = async ({ run, folder }: Repository): Promise<void> => {
  const { exitCode, stderr } = await run(blankRepositoryArgv(folder))
  if (exitCode !== 0) throw new ResticError(exitCode, 'the repository could not be created', stderr)
}

/** Those of everyone: only for a caller who knows that nothing else works with the repository. Harmless when there is none. */
export const removeLocks = async (repository: Repository): Promise<void> => {
  await succeed(repository, ['unlock', '--remove-all'], { allowExitCodes: [NO_REPOSITORY] })
}

/** Everything that a snapshot refers to is there and readable; with `readData` every byte of it is compared, too. */
export const checkRepository = async (
  repository: Repository,
  { readData = false }: { readonly readData?: boolean } = {},
): Promise<void> => {
  await succeed(repository, ['check', ...(readData ? ['--read-data'] : [])], { timeoutMs: LONG_MS })
}

/** Throws when it can't be told, because the storage failed on the way. */
export const isWhole = (repository: Repository): Promise<boolean> =>
  checkRepository(repository).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ResticError && !error.isUnsteady) return false
      throw error
    },
  )

/** What was not found counts only where everything else could be read. */
const requireSteady = (stderr: string): void => {
  if (hadTrouble(stderr)) throw new ResticError(0, 'restic could not read everything', stderr)
}

/** From the data that is there. */
export const repairIndex = async (repository: Repository): Promise<void> => {
  requireSteady((await succeed(repository, ['repair', 'index'], { timeoutMs: LONG_MS })).stderr)
}

const Snapshot = z.object({ id: z.string(), time: z.string(), tags: z.array(z.string()).optional() })
export type Snapshot = z.infer<typeof Snapshot>

export const listSnapshots = async (repository: Repository, tag?: string): Promise<Snapshot[]> => {
  const words = ['snapshots', '--json', ...(tag === undefined ? [] : ['--tag', tag])]
  const { stdout, exitCode } = await succeed(repository, words, { allowExitCodes: [NO_REPOSITORY] })
  return exitCode === NO_REPOSITORY ? [] : z.array(Snapshot).parse(JSON.parse(stdout))
}

/** Those that need something which is not there. */
export const listBroken = async (repository: Repository, snapshots: readonly Snapshot[]): Promise<Snapshot[]> => {
  const broken: Snapshot[] = []
  for (const snapshot of snapshots) {
    const words = ['repair', 'snapshots', '--dry-run', snapshot.id]
    const { stdout, stderr } = await succeed(repository, words, { timeoutMs: LONG_MS })
    if (!/^would modify 1 snapshots$/m.test(stdout)) continue
    requireSteady(stderr)
    broken.push(snapshot)
  }
  return broken
}

/** With what no other snapshot needs. */
export const forgetSnapshots = async (
  repository: Repository,
  ids: readonly string[],
  { keepData = false }: { readonly keepData?: boolean } = {},
): Promise<void> => {
  if (ids.length > 0)
    await succeed(repository, ['forget', ...(keepData ? [] : ['--prune']), ...ids], { timeoutMs: LONG_MS })
}

/** Deletes data that no snapshot refers to, such as what an upload that broke off has left. Refuses when anything is missing. */
export const dropUnused = async (repository: Repository): Promise<void> => {
  await succeed(repository, ['prune', '--max-unused', 'unlimited'], { timeoutMs: LONG_MS })
}

/** A folder of the snapshot as one tar archive on the output. */
export const archiveArgv = ({ folder }: Repository, snapshotId: string, path: string): Argv =>
  resticArgv(folder, 'dump', '--archive', 'tar', `${snapshotId}:${path}`, '/')

interface Restored {
  readonly snapshotId: string
  /** Of the snapshot. */
  readonly path: string
  /** Of the machine; empty or absent before. */
  readonly target: string
  /** Below `path`; all of it if absent. */
  readonly only?: readonly string[]
}

/** With owners, modes and times. Every byte is compared with what the snapshot promises. */
export const restoreFolder = async (repository: Repository, restored: Restored): Promise<void> => {
  const { snapshotId, path, target, only = [] } = restored
  const includes = only.flatMap(one => ['--include', `/${one.replace(/[\\*?[\]]/g, '\\$&')}`])
  const words = ['restore', `${snapshotId}:${path}`, '--target', target, '--sparse', '--verify', ...includes]
  await succeed(repository, words, { timeoutMs: LONG_MS })
}
