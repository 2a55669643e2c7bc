import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { removeContainer } from '#drivers/docker/containers.ts'
import { ensureContainer } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import type { SiteFolder } from '#features/sites/index.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { ensureImage } from '#features/stack/images/ensure-image.ts'
import { siteImage } from '#features/stack/images/recipes.ts'
import { LocalHost } from '#platform/host/local-host.ts'

const MIB = 1024 ** 2
export const OWNER = 70_000
/** As `withFolder` has it. */
const ROOT = { user: '0:0', capAdd: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID'] }

export interface LocalFolder extends SiteFolder {
  /** Where it lies on this machine, next to what the site must never reach. */
  readonly outside: string
  readonly html: string
  /** As the site, in its container; the text it prints. */
  shell(script: string, input?: Buffer): Promise<string>
  /** The same files in a throwaway container, for what the site itself may not do. */
  asRoot(): Promise<SiteFolder>
  [Symbol.asyncDispose](): Promise<void>
}

/** The files of a site in a container of its image on this machine: no panel, no server and no WordPress around it. */
export const localFolder = async (): Promise<LocalFolder> => {
  const host = new LocalHost()
  const docker = dockerOf(host)
  const outside = await mkdtemp(join(tmpdir(), 'fleetpress-files-'))
  const html = join(outside, 'html')
  const image = await ensureImage(siteImage('8.4'), { host, dataDir: outside })
  await chmod(outside, 0o755)
  await mkdir(html)
  await chown(html, OWNER, OWNER)
  const container = `fptest${randomBytes(4).toString('hex')}-files`
  const spec: ContainerSpec = {
    name: container,
    image,
    entrypoint: ['site-files', 'hold'],
    user: `${OWNER}:${OWNER}`,
    readOnly: true,
    network: 'none',
    mounts: [{ source: html, target: '/var/www/html' }],
    tmpfs: [{ target: '/tmp', sizeBytes: 64 * MIB }],
    limits: { memoryBytes: 512 * MIB, cpus: 2, pids: 200 },
    restart: 'no',
  }
  await ensureContainer(docker, spec)
  const rootContainer = `${container}-root`
  const asRoot = async () => {
    await ensureContainer(docker, { ...spec, ...ROOT, name: rootContainer })
    return { host, container: rootContainer }
  }
  const shell = async (script: string, input?: Buffer) => {
    const options = { cwd: '/var/www/html', ...(input && { stdin: input }) }
    const { exitCode, stdout, stderr } = await execIn(docker, container, ['bash', '-c', script], options)
    assert.equal(exitCode, 0, stderr)
    return stdout
  }
  const dispose = async () => {
    for (const name of [container, rootContainer]) await removeContainer(docker, name)
    await rm(outside, { recursive: true, force: true })
  }
  return { host, container, outside, html, shell, asRoot, [Symbol.asyncDispose]: dispose }
}
