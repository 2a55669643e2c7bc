import { randomBytes } from 'node:crypto'
import { listContainers } from '#drivers/docker/containers.ts'
import { dropContainer, ensureContainer } from '#drivers/docker/ensure-container.ts'
import type { ExecOptions } from '#drivers/docker/exec.ts'
import { type Repository, removeLocks } from '#drivers/restic/restic.ts'
import { dockerOf } from '#features/stack/index.ts'
import type { Argv } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { withHostLock } from '#platform/host/lock.ts'
import type { Scope } from '#platform/scope.ts'
import { bringBackupImage } from './image.ts'
import { BACKUPS, lockFile, type Place, placeFolder } from './paths.ts'
import { mustRunIn, runIn, type Surroundings, toolsCpus, toolsSpec } from './tools.ts'

const LABEL = 'fleetpress.backup'

export type RepositoryWork = Pick<Scope, 'db' | 'hosts' | 'installation'> & { readonly signal: AbortSignal }

export interface Opening extends Surroundings {
  /** Names the container; whatever a killed panel has left under this name is ended. Random if absent. */
  readonly purpose?: string
}

/** A throwaway container with the repository of one site, without a network unless asked for. */
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
  const mounts = [{ source: folder, target: BACKUPS }, ...(opening.mounts ?? [])]
  const labels = { [LABEL]: place.slug }
  const spec = toolsSpec({ ...opening, name, image, mounts, labels, cpus: await toolsCpus(docker, signal) })
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
