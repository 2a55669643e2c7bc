import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeContainer } from '#drivers/docker/containers.ts'
import { ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import type { Login } from '#drivers/mariadb/connection.ts'
import { type Beside, ensureAdmin } from '#drivers/mariadb/programs.ts'
import { DATABASE_OWNER, databasePart } from '#features/stack/database-part.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { ensureImage } from '#features/stack/images/ensure-image.ts'
import { exec } from '#platform/host/command.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { Secret } from '#platform/host/secret.ts'

const MIB = 1024 ** 2
const ANY_EXIT = Array.from({ length: 255 }, (_, index) => index + 1)

export interface TestMariadb {
  readonly container: string
  readonly folder: string
  readonly socketPath: string
  readonly admin: Login
  readonly beside: Beside
  stop(): Promise<void>
}

/** The database server of a server of the fleet, with folders and its own name. */
export const startMariadb = async (env: Record<string, string> = {}, parent = tmpdir()): Promise<TestMariadb> => {
  const host = new LocalHost()
  const docker = dockerOf(host)
  const container = `fptest${randomBytes(4).toString('hex')}-database`
  const folder = await mkdtemp(join(parent, 'fleetpress-mariadb-'))
  const stop = async () => {
    await removeContainer(docker, container)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    for (const part of ['data', 'run']) {
      await mkdir(`${folder}/${part}`)
      await chown(`${folder}/${part}`, DATABASE_OWNER.uid, DATABASE_OWNER.gid)
    }
    await ensureContainer(docker, {
      name: container,
      image: await ensureImage(databasePart.image, { host, dataDir: folder }),
      readOnly: true,
      mounts: [
        { source: `${folder}/data`, target: '/var/lib/mysql' },
        { source: `${folder}/run`, target: '/run/mysqld' },
      ],
      tmpfs: [{ target: '/tmp', sizeBytes: 64 * MIB }],
      network: 'none',
      env,
      limits: { memoryBytes: 512 * MIB, cpus: 2, pids: 200 },
      labels: { 'fleetpress.test': container },
      restart: 'no',
    })
    await waitHealthy(docker, container, { timeoutMs: 60_000 })
    const admin = { name: 'fleetpress', password: new Secret(randomBytes(24).toString('base64url')) }
    const beside = besideIn(host, container)
    await ensureAdmin(beside, admin)
    return { container, folder, socketPath: `${folder}/run/mysqld.sock`, admin, beside, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const besideIn =
  (host: LocalHost, container: string): Beside =>
  async (argv, { user, ...options }) => {
    let stderr = ''
    const command = exec('docker', 'exec', '--interactive', '--user', user, container, ...argv)
    const { exitCode } = await host.stream(command, {
      ...options,
      allowExitCodes: ANY_EXIT,
      onStderr: chunk => void (stderr += chunk.toString()),
    })
    return { exitCode, stderr }
  }
