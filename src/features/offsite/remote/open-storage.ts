import { listFiles, RcloneError, type Storage, type Stored } from '#drivers/rclone/rclone.ts'
import type { Repository, Run } from '#drivers/restic/restic.ts'
import { ResticError, removeLocks } from '#drivers/restic/restic.ts'
import {
  type Opened,
  type Place,
  type RepositoryWork,
  type Surroundings,
  withRepository,
  withTools,
} from '#features/backups/index.ts'
import { CommandFailed } from '#platform/host/errors.ts'
import type { Secret } from '#platform/host/secret.ts'
import type { Scope } from '#platform/scope.ts'
import type { Passphrase } from '../contract.ts'
import type { DestinationRow } from '../destinations/destination-store.ts'
import type { Access } from '../providers/contract.ts'
import { accessOf, openPassphrase } from './check-access.ts'
import { folderOf, REMOTE, renderStorage, storageOf } from './storage-config.ts'
import { trustFirst } from './trust-host-key.ts'

const CONFIG = '/tmp/rclone.conf'
const KNOWN_HOSTS = '/tmp/known_hosts'
const QUICK = { RCLONE_CONTIMEOUT: '10s', RCLONE_TIMEOUT: '20s', RCLONE_RETRIES: '1', RCLONE_LOW_LEVEL_RETRIES: '1' }
const PATIENT = { RCLONE_CONTIMEOUT: '20s', RCLONE_TIMEOUT: '2m', RCLONE_RETRIES: '3', RCLONE_LOW_LEVEL_RETRIES: '5' }
/** Out to the storage, and nowhere near what listens only on the server itself. */
const NETWORK = { name: 'bridge' }
/** Folders of a mounted disk may belong to anyone. */
const DISK_RIGHTS = ['DAC_OVERRIDE']

interface Way {
  readonly surroundings: Surroundings
  /** Files of mode 0600 in the container, by path. */
  readonly files: Readonly<Record<string, string | Secret>>
}

const wayTo = (access: Access, folder: string, passphrase: Passphrase | null): Way => {
  const storage = storageOf(access)
  const isDisk = storage.mounts !== undefined
  return {
    surroundings: {
      env: { RCLONE_CONFIG: CONFIG },
      ...(isDisk ? { mounts: storage.mounts, capAdd: DISK_RIGHTS } : { network: NETWORK }),
    },
    files: {
      [CONFIG]: renderStorage(storage, { folder, passphrase }),
      ...(storage.knownHost !== undefined && { [KNOWN_HOSTS]: storage.knownHost }),
    },
  }
}

/** By the standard input, so that no secret is among the words of a program. */
const writeFiles = async (run: Run, files: Way['files']): Promise<void> => {
  for (const [path, stdin] of Object.entries(files)) {
    const ended = await run(['sh', '-c', 'umask 077 && cat > "$0"', path], { stdin })
    if (ended.exitCode !== 0) throw new CommandFailed({ ...ended, host: '', command: 'cat', signal: null })
  }
}

type ToolsWork = Pick<Scope, 'hosts' | 'installation'> & { readonly signal: AbortSignal }

/** The storage alone, for a test: gives up soon. */
export const withStorage = <T>(
  work: ToolsWork,
  serverId: number,
  { access, passphrase, folder }: { access: Access; passphrase: Passphrase | null; folder: string },
  act: (storage: Storage) => Promise<T>,
): Promise<T> => {
  const { surroundings, files } = wayTo(access, folder, passphrase)
  return withTools(work, serverId, { ...surroundings, env: { ...surroundings.env, ...QUICK } }, async run => {
    await writeFiles(run, files)
    return act({ run, remote: REMOTE })
  })
}

/** The repository of a site on its server, and the one at a destination. */
export interface BothRepositories {
  readonly here: Opened
  readonly there: Repository
  readonly storage: Storage
  /** What was at the destination before. */
  readonly stored: readonly Stored[]
}

export const hasRepository = ({ stored }: Pick<BothRepositories, 'stored'>): boolean =>
  stored.some(({ path }) => path === 'config')

/** The job names its containers, so that what a killed panel left of it is ended. */
export type RemoteWork = RepositoryWork & Pick<Scope, 'secrets'> & { readonly jobId: string }

/** restic passes on what rclone said, and marks it. */
const inPlainWords = (error: unknown): unknown => {
  if (!(error instanceof ResticError)) return error
  const said = error.output.split('\n').filter(line => line.includes('rclone: '))
  const explained = new RcloneError(error.exitCode, error.message, said.join('\n'))
  return explained.fault ? explained : error
}

/** Throws at once when the storage can't be reached: restic would try for a quarter of an hour. */
export const withDestination = async <T>(
  work: RemoteWork,
  place: Place,
  known: DestinationRow,
  act: (both: BothRepositories) => Promise<T>,
): Promise<T> => {
  const row = await trustFirst(work, place.serverId, known)
  const { surroundings, files } = wayTo(
    accessOf(work.secrets, row),
    folderOf(row.id),
    openPassphrase(work.secrets, row),
  )
  const opening = { ...surroundings, purpose: `offsite-${work.jobId}`, env: { ...surroundings.env, ...PATIENT } }
  return withRepository(work, place, opening, async here => {
    const { run } = here.repository
    await writeFiles(run, files)
    const storage = { run, remote: REMOTE }
    const there = { run, folder: `rclone:${REMOTE}${place.slug}` }
    const stored = await listFiles(storage, place.slug)
    if (here.isAlone && stored.some(({ path }) => path.startsWith('locks/'))) await removeLocks(there)
    return act({ here, there, storage, stored })
  }).catch((error: unknown) => {
    throw inPlainWords(error)
  })
}
