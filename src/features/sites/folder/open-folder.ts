import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { listContainers } from '#drivers/docker/containers.ts'
import { dropContainer, ensureContainer } from '#drivers/docker/ensure-container.ts'
import { type ExecOptions, type ExecResult, execIn } from '#drivers/docker/exec.ts'
import { dockerOf } from '#features/stack/index.ts'
import { type Argv, exec, render } from '#platform/host/command.ts'
import { CommandFailed } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Hosts } from '#platform/host/hosts.ts'
import { inSequence } from '#platform/sequence/in-sequence.ts'
import { siteName } from '../network.ts'
import { htmlFolder } from '../paths.ts'
import type { SiteRow } from '../site-store.ts'

interface Work {
  readonly hosts: Hosts
  readonly signal?: AbortSignal | undefined
}

/** The files of a site, seen from inside a container: no path and no link points to anything else of the server. */
export interface SiteFolder {
  readonly host: Host
  readonly container: string
}

const FOLDER = '/var/www/html'
const FILES_LABEL = 'fleetpress.files'
const MIB = 1024 ** 2
const LIMITS = { memoryBytes: 512 * MIB, cpus: 1, pids: 64 }
/** Files keep their owners and modes, and those that the site has closed to itself are copied too. */
const CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID']

/** As the running site sees it, with the site's own account and nothing more. */
export const runningFolder = ({ hosts }: Work, site: SiteRow): SiteFolder => ({
  host: hosts.get(site.server_id),
  container: siteName(site.slug),
})

interface Opening {
  /** One that has the program `site-files`: that of a site. */
  readonly image: string
  /** Names the container. Anyone who opens it for the same purpose waits. */
  readonly purpose: string
}

/**
 * For a site that may be stopped, and for what the site itself is not allowed to do: a throwaway container that has this
 * folder, no network and no process of the site in it.
 */
export const withFolder = <T>(
  { hosts, signal }: Work,
  site: SiteRow,
  { image, purpose }: Opening,
  act: (folder: SiteFolder) => Promise<T>,
): Promise<T> => {
  const host = hosts.get(site.server_id)
  const spec = throwaway(site, image, purpose)
  return inSequence(`${host.name} ${spec.name}`, async () => {
    try {
      await ensureContainer(dockerOf(host), spec, { signal })
      return await act({ host, container: spec.name })
    } finally {
      await dropContainer(dockerOf(host), spec.name).catch(() => {})
    }
  })
}

const throwaway = ({ slug }: SiteRow, image: string, purpose: string): ContainerSpec => ({
  ...holding({ name: `fleetpress-files-${slug}-${purpose}`, image, source: htmlFolder(slug) }),
  capAdd: CAPABILITIES,
  labels: { [FILES_LABEL]: slug },
})

interface Held {
  readonly name: string
  readonly image: string
  /** The folder of the server that it sees. */
  readonly source: string
}

const holding = ({ name, image, source }: Held): ContainerSpec => ({
  name,
  image,
  entrypoint: ['site-files', 'hold'],
  user: '0:0',
  readOnly: true,
  network: 'none',
  mounts: [{ source, target: FOLDER }],
  limits: LIMITS,
  restart: 'no',
  stopTimeoutSeconds: 1,
})

/** The same for files that no site has yet, in a folder of their own: nothing else can be reached from it. */
export const withScratch = async <T>(
  host: Host,
  held: Held,
  { signal }: Pick<Work, 'signal'>,
  act: (folder: SiteFolder) => Promise<T>,
): Promise<T> => {
  try {
    await ensureContainer(dockerOf(host), holding(held), { signal })
    return await act({ host, container: held.name })
  } finally {
    await dropContainer(dockerOf(host), held.name).catch(() => {})
  }
}

/** Those that a panel which was killed has left behind. */
export const dropFolders = async ({ hosts }: Pick<Work, 'hosts'>, site: SiteRow): Promise<void> => {
  const docker = dockerOf(hosts.get(site.server_id))
  for (const { name } of await listContainers(docker, { [FILES_LABEL]: site.slug })) await dropContainer(docker, name)
}

interface RunOptions extends ExecOptions {
  /** Exit codes, apart from 0, that are answers and not failures. */
  readonly allowExitCodes?: readonly number[] | undefined
}

/** Runs a program of the image in the folder. */
export const runIn = async (
  { host, container }: SiteFolder,
  argv: Argv,
  { allowExitCodes = [], ...options }: RunOptions,
): Promise<ExecResult> => {
  const ended = await execIn(dockerOf(host), container, argv, { cwd: FOLDER, ...options })
  if (ended.exitCode === 0 || allowExitCodes.includes(ended.exitCode)) return ended
  throw new CommandFailed({ ...ended, host: host.name, command: render(exec(...argv)), signal: null })
}
