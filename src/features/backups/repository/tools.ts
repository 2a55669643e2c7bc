import { randomBytes } from 'node:crypto'
import type { Docker } from '#drivers/docker/client.ts'
import type { ContainerNetwork, ContainerSpec, Mount } from '#drivers/docker/container-spec.ts'
import { readEngine } from '#drivers/docker/engine.ts'
import { dropContainer, ensureContainer } from '#drivers/docker/ensure-container.ts'
import { type ExecOptions, execIn } from '#drivers/docker/exec.ts'
import type { Run } from '#drivers/restic/restic.ts'
import { dockerOf } from '#features/stack/index.ts'
import { type Argv, exec, render } from '#platform/host/command.ts'
import { CommandFailed } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Scope } from '#platform/scope.ts'
import { bringBackupImage } from './image.ts'

const MIB = 1024 ** 2
const MOST_CPUS = 2
const PROGRAM_LIMIT_MS = 10 * 60_000
/** Visitors come first wherever processors are busy. */
const CPU_SHARES = 256

/** What a container with the programs for backups sees and may do. */
export interface Surroundings {
  /** What it sees next to the repository. */
  readonly mounts?: readonly Mount[]
  readonly capAdd?: readonly string[]
  /** None if absent. */
  readonly network?: ContainerNetwork
  /** Never a secret. */
  readonly env?: Readonly<Record<string, string>>
}

interface Described extends Surroundings {
  readonly name: string
  readonly image: string
  readonly cpus: number
  readonly labels?: Readonly<Record<string, string>>
}

export const toolsCpus = async (docker: Docker, signal: AbortSignal): Promise<number> =>
  Math.min(MOST_CPUS, (await readEngine(docker, { signal })).cpus)

export const toolsSpec = ({ name, image, cpus, labels = {}, env, ...described }: Described): ContainerSpec => ({
  name,
  image,
  user: '0:0',
  readOnly: true,
  network: described.network ?? 'none',
  mounts: described.mounts ?? [],
  tmpfs: [{ target: '/tmp', sizeBytes: 256 * MIB }],
  capAdd: described.capAdd ?? [],
  limits: { memoryBytes: 1024 * MIB, cpus, pids: 256 },
  cpuShares: CPU_SHARES,
  env: { RESTIC_PROGRESS_FPS: '1', ...env },
  labels,
  restart: 'no',
  stopTimeoutSeconds: 1,
})

export const runIn =
  (host: Host, container: string, signal: AbortSignal): Run =>
  (argv, { timeoutMs = PROGRAM_LIMIT_MS, signal: other, ...options } = {}) =>
    execIn(dockerOf(host), container, argv, {
      ...options,
      timeoutMs,
      signal: other === undefined ? signal : AbortSignal.any([signal, other]),
    })

export const mustRunIn =
  (host: Host, container: string, signal: AbortSignal) =>
  async (
    argv: Argv,
    { timeoutMs = PROGRAM_LIMIT_MS, ...options }: Pick<ExecOptions, 'stdin' | 'onStdout' | 'timeoutMs'> = {},
  ): Promise<string> => {
    const ended = await execIn(dockerOf(host), container, argv, { ...options, timeoutMs, signal })
    if (ended.exitCode === 0) return ended.stdout
    throw new CommandFailed({ ...ended, host: host.name, command: render(exec(...argv)), signal: null })
  }

type ToolsWork = Pick<Scope, 'hosts' | 'installation'> & { readonly signal: AbortSignal }

/** A throwaway container with the same programs and no repository. */
export const withTools = async <T>(
  work: ToolsWork,
  serverId: number,
  surroundings: Surroundings,
  act: (run: Run) => Promise<T>,
): Promise<T> => {
  const host = work.hosts.get(serverId)
  const docker = dockerOf(host)
  const name = `fleetpress-backup-tools-${randomBytes(6).toString('hex')}`
  const image = await bringBackupImage(work, serverId, work.signal)
  try {
    const cpus = await toolsCpus(docker, work.signal)
    await ensureContainer(docker, toolsSpec({ ...surroundings, name, image, cpus }), { signal: work.signal })
    return await act(runIn(host, name, work.signal))
  } finally {
    await dropContainer(docker, name).catch(() => {})
  }
}
