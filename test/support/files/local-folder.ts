import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeContainer } from '#drivers/docker/containers.ts'
import { ensureContainer } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import type { SiteFolder } from '#features/sites/index.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { ensureImage } from '#features/stack/images/ensure-image.ts'
import { siteImage } from '#features/stack/images/recipes.ts'
import { LocalHost } from '#platform/host/local-host.ts'

const MIB = 1024 ** 2
const OWNER = 70_000

export interface LocalFolder extends SiteFolder {
  /** Where it lies on this machine, next to what the site must never reach. */
  readonly outside: string
  readonly html: string
  /** As the site, in its container; the text it prints. */
  shell(script: string, input?: Buffer): Promise<string>
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
  await ensureContainer(docker, {
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
  })
  const shell = async (script: string, input?: Buffer) => {
    const options = { cwd: '/var/www/html', ...(input && { stdin: input }) }
    const { exitCode, stdout, stderr } = await execIn(docker, container, ['bash', '-c', script], options)
    assert.equal(exitCode, 0, stderr)
    return stdout
  }
  const dispose = async () => {
    await removeContainer(docker, container)
    await rm(outside, { recursive: true, force: true })
  }
  return { host, container, outside, html, shell, [Symbol.asyncDispose]: dispose }
}
