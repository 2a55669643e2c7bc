import { type JobWork, runForJob } from '#features/servers/index.ts'
import { exec, withEnv } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'

/** What a server of the fleet needs from its own distribution. */
const PACKAGES = ['ca-certificates', 'docker.io', 'iptables', 'nftables', 'zstd']
/** Only where images are built. */
const BUILD_PACKAGES = ['mmdebstrap']

const quietly = { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'a' }
/** Automatic updates of a new machine often hold the lock during its first minutes. */
const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'APT::Update::Error-Mode=any']
/** Else a line of the log is a hundred states of a progress bar. */
const IN_LINES = ['-q', '-o', 'Dpkg::Use-Pty=0']

export const packagesFor = (buildsImages: boolean): string[] => [...PACKAGES, ...(buildsImages ? BUILD_PACKAGES : [])]

export const listMissing = async (host: Host, wanted: readonly string[], signal: AbortSignal): Promise<string[]> => {
  const asked = exec('dpkg-query', '--show', '--showformat', '${Package} ${db:Status-Status}\\n', ...wanted)
  const { stdout } = await host.run(asked, { allowExitCodes: [1], timeoutMs: 30_000, signal })
  const installed = new Set(stdout.split('\n').filter(line => line.endsWith(' installed')))
  return wanted.filter(name => !installed.has(`${name} installed`))
}

/** Continues when the connection is cut, and is found again by the job's id. */
export const installPackages = async (host: Host, names: readonly string[], work: JobWork): Promise<void> => {
  // A machine that was switched off while installing refuses everything until this is done.
  await runForJob(host, 'configure', withEnv(exec('dpkg', '--configure', '-a'), quietly), work)
  const steps = { update: ['update'], install: ['install', '-y', '--no-install-recommends', ...names] }
  for (const [step, words] of Object.entries(steps)) {
    await runForJob(host, step, withEnv(exec('apt-get', ...WAIT_FOR_LOCK, ...IN_LINES, ...words), quietly), work)
  }
}
