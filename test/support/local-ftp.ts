import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findContainer, readLogs, removeContainer } from '#drivers/docker/containers.ts'
import { ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { hashPassword } from '#features/ftp/password.ts'
import { ftpContainer, ftpImage } from '#features/ftp/service/container.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { ensureImage } from '#features/stack/images/ensure-image.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { until } from '#test/fleet/until.ts'

const LIMIT_MS = 120_000
const CPUS = 2
const CONFIG = new URL('../../images/ftp/rootfs/etc/fleetpress/proftpd.conf', import.meta.url)

export interface LocalLogin {
  readonly username: string
  readonly password: string
  /** As the service sees it: `/sites/<slug>/html` and what is in it. */
  readonly folder: string
  readonly uid: number
  readonly expiresAt?: number
  readonly revision?: number
}

interface Status {
  readonly generation: string
  readonly ending: number
  readonly sessions: Readonly<Record<string, number>>
}

export interface LocalFtp {
  readonly address: string
  /** Where the folders of sites lie on this machine. */
  readonly sites: string
  /** What the panel would write. Resolves when it is in effect, and all sessions that lost their right have ended. */
  apply(logins: readonly LocalLogin[]): Promise<void>
  status(): Promise<Status>
  /** What it has written to its log. */
  log(): Promise<string>
  /** In the container, as root; the text it prints. */
  shell(script: string): Promise<string>
  makeSite(slug: string, uid: number, files: Readonly<Record<string, string>>): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

interface Options {
  /** Changes the configuration of ProFTPD, for what the product's own would not let a test measure. */
  readonly config?: (text: string) => string
}

const MADE = ['state', 'status', 'keys', 'sites'] as const

/** The container of FTP on this machine, as a server would run it, and no panel: what happens here happens without one. */
export const localFtp = async ({ config }: Options = {}): Promise<LocalFtp> => {
  const host = new LocalHost()
  const docker = dockerOf(host)
  const root = await mkdtemp(join(tmpdir(), 'fleetpress-ftp-'))
  await chmod(root, 0o755)
  for (const name of MADE) await mkdir(join(root, name), { mode: 0o755 })
  const image = await ensureImage(ftpImage, { host, dataDir: root })
  const name = `fptest${randomBytes(4).toString('hex')}-ftp`
  const hashes = new Map<string, string>()

  const hashOf = async ({ username, password }: LocalLogin): Promise<string> => {
    const key = `${username} ${password}`
    const hash = hashes.get(key) ?? (await hashPassword(password))
    hashes.set(key, hash)
    return hash
  }
  const lineOf = async (login: LocalLogin): Promise<string> => {
    const { username, uid, folder, expiresAt, revision = 1 } = login
    const expiry = expiresAt === undefined ? '-' : Math.floor(expiresAt / 1000)
    return [username, await hashOf(login), uid, folder, expiry, revision].join('\t')
  }
  const write = async (logins: readonly LocalLogin[]): Promise<string> => {
    const generation = randomBytes(8).toString('hex')
    const lines = await Promise.all(logins.map(lineOf))
    const file = join(root, 'state', 'state')
    await writeFile(`${file}.new`, [`generation ${generation}`, ...lines, ''].join('\n'), { mode: 0o600 })
    await rename(`${file}.new`, file)
    return generation
  }
  const status = async () => JSON.parse(await readFile(join(root, 'status', 'status.json'), 'utf8')) as Status
  const apply = async (logins: readonly LocalLogin[]) => {
    const generation = await write(logins)
    const isDone = async () => {
      const found = await status()
      return found.generation === generation && found.ending === 0
    }
    await until('Applying the logins', isDone, LIMIT_MS)
  }
  const makeSite = async (slug: string, uid: number, files: Readonly<Record<string, string>>) => {
    const html = join(root, 'sites', slug, 'html')
    await mkdir(html, { recursive: true })
    for (const [file, content] of Object.entries(files)) await writeFile(join(html, file), content)
    for (const path of [html, ...Object.keys(files).map(file => join(html, file))]) await chown(path, uid, uid)
    return html
  }

  await write([])
  const own = join(root, 'proftpd.conf')
  if (config) await writeFile(own, config(await readFile(CONFIG, 'utf8')))
  const spec = ftpContainer(image, { ssh_port: 22 }, CPUS)
  const sourceOf = (target: string) => MADE.find(made => target.endsWith(made)) ?? 'status'
  await ensureContainer(docker, {
    ...spec,
    name,
    network: { name: 'bridge' },
    restart: 'no',
    labels: {},
    mounts: [
      ...(spec.mounts ?? []).map(mount => ({ ...mount, source: join(root, sourceOf(mount.target)) })),
      ...(config ? [{ source: own, target: '/etc/fleetpress/proftpd.conf', readOnly: true }] : []),
    ],
  })
  await waitHealthy(docker, name)
  const address = Object.values((await findContainer(docker, name))?.addresses ?? {})[0] ?? assert.fail()

  const shell = async (script: string) => {
    const { exitCode, stdout, stderr } = await execIn(docker, name, ['bash', '-c', script])
    assert.equal(exitCode, 0, stderr)
    return stdout
  }
  const dispose = async () => {
    await removeContainer(docker, name)
    await rm(root, { recursive: true, force: true })
  }
  return {
    address,
    sites: join(root, 'sites'),
    apply,
    status,
    log: async () => (await readLogs(docker, name, { lines: 10_000 })) + (await shell('cat /run/proftpd/proftpd.log')),
    shell,
    makeSite,
    [Symbol.asyncDispose]: dispose,
  }
}
