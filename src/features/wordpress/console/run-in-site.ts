import { execIn } from '#drivers/docker/exec.ts'
import { type SiteRow, siteName } from '#features/sites/index.ts'
import { dockerOf } from '#features/stack/index.ts'
import { type Argv, exec, withStdin } from '#platform/host/command.ts'
import { forgetDetached, runDetached } from '#platform/host/detached.ts'
import { Secret } from '#platform/host/secret.ts'
import type { StepContext } from '#platform/jobs/job-type.ts'

type Work = Pick<StepContext, 'hosts' | 'jobId' | 'signal' | 'output'>

interface Run {
  readonly argv: Argv
  readonly stdin?: string | undefined
  readonly timeoutMs: number
}

const EVERY_EXIT_CODE = Array.from({ length: 256 }, (_, code) => code)

/** Ends whatever carries the mark of a job. The engine does not do it when its client goes away. */
const END_MARKED = `for process in /proc/[0-9]*; do
  grep -qzFx "FLEETPRESS_JOB=$1" "$process/environ" 2> /dev/null && kill -KILL "\${process#/proc/}"
done; true`

/** Both kinds of output come in the order they were written; the engine would carry them side by side. */
const IN_ORDER = ['sh', '-c', 'exec "$@" 2>&1', 'run'] as const

/** Shorter ones would hide half of the output and no secret. */
const SHORTEST_HIDDEN = 4

/** WP-CLI repeats what it was told at a prompt, quoted for a shell: no line of it may come into the log. */
export const hiding = (stdin: string) => {
  const lines = stdin.split('\n').filter(line => line.length >= SHORTEST_HIDDEN)
  const hidden = lines.flatMap(line => [line, line.replaceAll(`'`, `'\\''`)]).toSorted((a, b) => b.length - a.length)
  return (text: string): string => hidden.reduce((left, line) => left.replaceAll(line, '[stdin]'), text)
}

const idOf = (jobId: string) => `${jobId}-command`

/**
 * Runs a program in the container of a site and returns its exit code. It continues while the panel is restarted, and runs at
 * most once until `forgetRun`.
 */
export const runInSite = async (work: Work, site: SiteRow, { argv, stdin = '', timeoutMs }: Run): Promise<number> => {
  const { hosts, jobId, signal, output } = work
  const mark = `FLEETPRESS_JOB=${jobId}`
  const words = ['--interactive', '--env', mark, '--', siteName(site.slug), ...IN_ORDER, ...argv]
  const command = withStdin(exec('docker', 'exec', ...words), new Secret(stdin))
  const hide = hiding(stdin)
  const onOutput = (text: string) => output('stdout', hide(text))
  return runDetached(hosts.get(site.server_id), idOf(jobId), command, {
    signal,
    timeoutMs,
    allowExitCodes: EVERY_EXIT_CODE,
    onOutput,
  })
}

export const forgetRun = ({ hosts, jobId }: Pick<Work, 'hosts' | 'jobId'>, site: SiteRow): Promise<void> =>
  forgetDetached(hosts.get(site.server_id), idOf(jobId))

/** Stops the program with everything it has started. */
export const endRun = async (work: Pick<Work, 'hosts' | 'jobId'>, site: SiteRow): Promise<void> => {
  await forgetRun(work, site)
  if (site.status !== 'running') return
  const docker = dockerOf(work.hosts.get(site.server_id))
  await execIn(docker, siteName(site.slug), ['bash', '-c', END_MARKED, 'end', work.jobId], { timeoutMs: 10_000 })
}
