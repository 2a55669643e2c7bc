import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { errnoOf } from './errors.ts'
import { exitOf } from './exit.ts'
import type { Exit } from './host.ts'
import type { RunningProcess } from './supervise.ts'

const TERM_GRACE_MS = 2_000
const KILL_GRACE_MS = 500
const POLL_MS = 20

/**
 * Starts a program as the leader of its own group; the only place of this folder that starts processes.
 * Rejects with the system's error when it cannot be started.
 */
export const startProcessGroup = async (
  [program, ...words]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<RunningProcess> => {
  const child = spawn(program, words, { detached: true, cwd: '/', env: { ...env }, stdio: 'pipe' })
  const exited = new Promise<Exit>(resolve => {
    child.once('exit', (exitCode, signal) => resolve(exitOf(exitCode, signal)))
  })
  await once(child, 'spawn')
  const { pid, stdin, stdout, stderr } = child
  const kill = async () => {
    const hasExited = child.exitCode !== null || child.signalCode !== null
    if (pid !== undefined) await endGroup(pid, hasExited)
    for (const stream of [stdin, stdout, stderr]) stream.destroy()
  }
  return { stdin, stdout, stderr, exited, kill }
}

const endGroup = async (leader: number, leaderHasExited: boolean): Promise<void> => {
  // The number of a leader that is gone is given away again only after its whole group is gone too.
  if (leaderHasExited && existsSync(`/proc/${leader}`)) return
  signalGroup(leader, 'SIGTERM')
  if (await groupEnds(leader, TERM_GRACE_MS)) return
  signalGroup(leader, 'SIGKILL')
  await groupEnds(leader, KILL_GRACE_MS)
}

const groupEnds = async (leader: number, withinMs: number): Promise<boolean> => {
  const deadline = performance.now() + withinMs
  while (await groupLives(leader)) {
    if (performance.now() > deadline) return false
    await delay(POLL_MS)
  }
  return true
}

/** The dead whom no one has collected do not count: in a container that may never happen. */
const groupLives = async (leader: number): Promise<boolean> => {
  if (!signalGroup(leader, 0)) return false
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')))
  return stats.some(stat => {
    const [state = 'X', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(group) === leader && !'ZX'.includes(state)
  })
}

/** Whether the group still has a member, dead or alive. */
const signalGroup = (leader: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(-leader, signal)
  } catch (error) {
    return errnoOf(error) !== 'ESRCH'
  }
}
