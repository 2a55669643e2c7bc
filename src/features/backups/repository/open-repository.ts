import { randomBytes } from 'node:crypto'
import type { ContainerSpec, Mount } from '#drivers/docker/container-spec.ts'
import { listContainers } from '#drivers/docker/containers.ts'
import { readEngine } from '#drivers/docker/engine.ts'
import { dropContainer, ensureContainer } from '#drivers/docker/ensure-container.ts'
import { type ExecOptions, execIn } from '#drivers/docker/exec.ts'
import { type Repository, type Run, removeLocks } from '#drivers/restic/restic.ts'
import { dockerOf } from '#features/stack/index.ts'
import { type Argv, exec, render } from '#platform/host/command.ts'
import { CommandFailed } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import { withHostLock } from '#platform/host/lock.ts'
import type { Scope } from '#platform/scope.ts'
import { bringBackupImage } from './image.ts'
import { BACKUPS, lockFile, type Place, placeFolder } from './paths.ts'

const MIB = 1024 ** 2
const LABEL = 'fleetpress.backup'
const MOST_CPUS = 2
const PROGRAM_LIMIT_MS = 10 * 60_000
/** Visitors come first wherever processors are busy. */
const CPU_SHARES = 256

export type RepositoryWork = Pick<Scope, 'db' | 'hosts' | 'installation'> & { readonly signal: AbortSignal }

export interface Opening {
  /** Names the container; whatever a killed panel has left under this name is ended. Random if absent. */
  readonly purpose?: string
  /** What it sees next to the repository. */
  readonly mounts?: readonly Mount[]
  readonly capAdd?: readonly string[]
}

/** A throwaway container with the repository of one site, without a network. */
export interface Opened {
  readonly repository: Repository
  /** Whether nothing else has the repository open, so that data can be deleted from it. */
  readonly isAlone: boolean
  /** Any other program of the image; resolves to its output. */
  run(argv: Argv, options?: Pick<ExecOptions, 'stdin' | 'onStdout' | 'timeoutMs'>): Promise<string>
}

export const withRepository = async <T>(
  work: RepositoryWork,
  place: Place,
  opening: Opening,
  act: (opened: Opened) => Promise<T>,
): Promise<T> => {
  const host = work.hosts.get(place.serverId)
  const purpose = opening.purpose ?? randomBytes(6).toString('hex')
  const name = `fleetpress-backup-${place.slug}-${purpose}`
  try {
    return await act(await open(work, place, { ...opening, name, host }))
  } finally {
    await dropContainer(dockerOf(host), name).catch(() => {})
  }
}

interface Container extends Opening {
  readonly name: string
  readonly host: Host
}

/** Locks of the repository count only while a container is there that may hold them. */
const open = async (work: RepositoryWork, place: Place, { name, host, ...opening }: Container): Promise<Opened> => {
  const { signal } = work
  const docker = dockerOf(host)
  const folder = await placeFolder(work.db, place)
  const image = await bringBackupImage(work, place.serverId, signal)
  const { cpus } = await readEngine(docker, { signal })
  const spec = containerSpec(place, { name, image, folder, cpus: Math.min(MOST_CPUS, cpus), ...opening })
  const repository: Repository = { run: runIn(host, name, signal), folder: `${BACKUPS}/repository` }
  const isAlone = await withHostLock(
    host,
    lockFile(place),
    async () => {
      await dropContainer(docker, name, { signal })
      await host.makeDir(folder, { mode: 0o700 })
      await ensureContainer(docker, spec, { signal })
      const found = await listContainers(docker, { [LABEL]: place.slug }, { signal })
      const others = found.filter(one => one.state === 'running' && one.name !== name)
      if (others.length > 0) return false
      await removeLocks(repository)
      return true
    },
    { signal },
  )
  return { repository, isAlone, run: mustRunIn(host, name, signal) }
}

interface Described extends Opening {
  readonly name: string
  readonly image: string
  readonly folder: string
  readonly cpus: number
}

const containerSpec = ({ slug }: Place, described: Described): ContainerSpec => ({
  name: described.name,
  image: described.image,
  user: '0:0',
  readOnly: true,
  network: 'none',
  mounts: [{ source: described.folder, target: BACKUPS }, ...(described.mounts ?? [])],
  tmpfs: [{ target: '/tmp', sizeBytes: 256 * MIB }],
  capAdd: described.capAdd ?? [],
  limits: { memoryBytes: 1024 * MIB, cpus: described.cpus, pids: 256 },
  cpuShares: CPU_SHARES,
  env: { RESTIC_PROGRESS_FPS: '1' },
  labels: { [LABEL]: slug },
  restart: 'no',
  stopTimeoutSeconds: 1,
})

const runIn =
  (host: Host, container: string, signal: AbortSignal): Run =>
  (argv, { onStdout, timeoutMs = PROGRAM_LIMIT_MS } = {}) =>
    execIn(dockerOf(host), container, argv, { onStdout, timeoutMs, signal })

const mustRunIn =
  (host: Host, container: string, signal: AbortSignal): Opened['run'] =>
  async (argv, { timeoutMs = PROGRAM_LIMIT_MS, ...options } = {}) => {
    const ended = await execIn(dockerOf(host), container, argv, { ...options, timeoutMs, signal })
    if (ended.exitCode === 0) return ended.stdout
    throw new CommandFailed({ ...ended, host: host.name, command: render(exec(...argv)), signal: null })
  }
