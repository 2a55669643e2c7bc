import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, tryRun } from './run.ts'

export type Suite = 'bookworm' | 'trixie'

/** What a rented machine has on its first day, and nothing that the panel is there to install. */
const BLANK = [
  'ca-certificates',
  'curl',
  'dbus',
  'e2fsprogs',
  'iproute2',
  'libpam-systemd',
  'openssh-server',
  'procps',
  'sudo',
  'systemd',
  'systemd-sysv',
]

const DOCKER: Record<Suite, string[]> = {
  bookworm: ['docker.io', 'iptables', 'nftables', 'zstd'],
  trixie: ['docker.io', 'docker-cli', 'iptables', 'nftables', 'zstd'],
}

/** Host keys and the machine's id are made at the first start, so that no two machines share them. */
const CUSTOMIZE = [
  'rm -f "$1"/etc/ssh/ssh_host_*',
  ': > "$1"/etc/machine-id',
  'echo LANG=C.UTF-8 > "$1"/etc/default/locale',
  'echo PermitRootLogin prohibit-password > "$1"/etc/ssh/sshd_config.d/10-key-only.conf',
  'echo PasswordAuthentication no >> "$1"/etc/ssh/sshd_config.d/10-key-only.conf',
]

const BUILD_LIMIT_MS = 10 * 60_000

const ownSuite = (): string => /^VERSION_CODENAME=(.+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''

/** The machine's own apt knows its sources in whatever form they are written; they hold for the other suite too. */
const readAptSources = async (suite: Suite): Promise<string[]> => {
  const own = ownSuite()
  const wanted = [own, `${own}-updates`, `${own}-security`]
  const targets = await run('apt-get', [
    'indextargets',
    '--format',
    '$(REPO_URI) $(RELEASE) $(COMPONENT)',
    'Created-By: Packages',
  ])
  const lines = targets
    .split('\n')
    .map(line => line.split(' '))
    .filter(([, release = '', component]) => component === 'main' && wanted.includes(release))
    .map(([uri, release = '']) => `deb ${uri} ${release.replace(own, suite)} main`)
  if (lines.length === 0)
    throw new Error('Blank VPSs are made from the apt sources of a Debian machine: there are none.')
  return [...new Set(lines)]
}

/** Asking apt takes a second, so whether the sources have changed is told by their files. */
const aptFiles = (): string[] =>
  ['/etc/apt/sources.list', '/etc/apt/sources.list.d']
    .filter(path => existsSync(path))
    .flatMap(path => (statSync(path).isDirectory() ? readdirSync(path).map(name => join(path, name)) : [path]))
    .toSorted()
    .map(path => readFileSync(path, 'utf8'))

const isThere = async (image: string): Promise<boolean> =>
  (await tryRun('docker', ['image', 'inspect', image])).exitCode === 0

const build = async (image: string, words: string[], suite: Suite): Promise<void> => {
  const sources = await readAptSources(suite)
  const folder = mkdtempSync(join(tmpdir(), 'fleetpress-vps-image-'))
  const archive = join(folder, 'vps.tar')
  try {
    await run('mmdebstrap', [...words, suite, archive, ...sources], { timeoutMs: BUILD_LIMIT_MS })
    await run('docker', ['import', archive, image], { timeoutMs: BUILD_LIMIT_MS })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Builds the disk of a blank VPS once; whatever changes the recipe gives it another name. */
export const ensureVpsImage = async (suite: Suite, hasDocker: boolean): Promise<string> => {
  const packages = [...BLANK, ...(hasDocker ? DOCKER[suite] : [])]
  const hooks = CUSTOMIZE.map(hook => `--customize-hook=${hook}`)
  const words = ['--quiet', '--variant=minbase', `--include=${packages.join(',')}`, ...hooks]
  const hash = createHash('sha256')
    .update(JSON.stringify([words, aptFiles()]))
    .digest('hex')
    .slice(0, 12)
  const image = `fleetpress-testbed/vps:${suite}${hasDocker ? '-docker' : ''}-${hash}`
  if (!(await isThere(image))) await build(image, words, suite)
  return image
}
