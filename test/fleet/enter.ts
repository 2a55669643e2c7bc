import { readFileSync } from 'node:fs'
import { type Ended, type RunOptions, tryRun } from './run.ts'

/** As `docker exec` has it. */
const ENVIRONMENT = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'container=docker',
]
/** What no machine of the testbed has; see `runWords`. */
export const LACKING = ['SYS_RESOURCE', 'SYS_TIME', 'SYS_MODULE'] as const

interface First {
  readonly pid: string
  /** Tells it from a later process with the same number. */
  readonly startedAt: string
}

const startedAt = (pid: string): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

const known = new Map<string, First>()

/** The first process of a container, undefined when it does not run. Asking the engine takes longer than most commands. */
const firstOf = async (container: string): Promise<string | undefined> => {
  const first = known.get(container)
  if (first && startedAt(first.pid) === first.startedAt) return first.pid
  const pid = (await tryRun('docker', ['inspect', '--format', '{{.State.Pid}}', container])).stdout.trim()
  const since = startedAt(pid)
  if (since === undefined) return undefined
  known.set(container, { pid, startedAt: since })
  return pid
}

/** Loses what the machine lacks, and ends with the process that asked for it. */
const LIKE_EXEC = [
  'setpriv',
  `--bounding-set=${LACKING.map(right => `-${right.toLowerCase()}`).join(',')}`,
  '--pdeathsig=KILL',
  'env',
  '--ignore-environment',
  ...ENVIRONMENT,
]

/** Runs a command in a container as `docker exec` does, without the four processes that takes. */
export const enter = async (container: string, argv: string[], options: RunOptions = {}): Promise<Ended> => {
  const pid = await firstOf(container)
  if (pid === undefined) return { exitCode: -1, stdout: '', stderr: `${container} does not run.` }
  return tryRun('nsenter', [`--target=${pid}`, '--all', '--wd', ...LIKE_EXEC, ...argv], options)
}
