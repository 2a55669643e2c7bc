import type { RunningProcess } from '../supervise.ts'
import type { Connection } from './connect.ts'
import { type Guard, type GuardOptions, openGuard } from './guard.ts'
import { Slots } from './slots.ts'
import { openWorker, stdinOf } from './worker.ts'
import { Workers } from './workers.ts'

/** Streams do not count as sessions for sshd; the bound only keeps a mistake of the panel's from growing. */
const DIALS_MAX = 64

/** A connection with what runs through it. */
export interface Session {
  readonly connection: Connection
  readonly guard: Promise<Guard>
  readonly workers: Workers
  readonly dials: Slots
}

export const startSession = (host: string, connection: Connection, options: GuardOptions): Session => {
  const guard = openGuard(connection, options)
  guard.catch(() => connection.end())
  const workers = new Workers(host, () => openWorker(connection, host, options.token))
  connection.lost.addEventListener('abort', () => workers.fail(connection.lost.reason), { once: true })
  return { connection, guard, workers, dials: new Slots(DIALS_MAX) }
}

/** Gives the text to a shell that is ready for it. */
export const startIn = async (session: Session, text: string, signal: AbortSignal): Promise<RunningProcess> => {
  const { worker, release } = await session.workers.take(signal)
  const { channel, group, exited } = worker
  channel.once('close', release)
  const stdin = stdinOf(channel)
  stdin.write(`${text}\0`)
  const kill = async () => {
    const guard = await session.guard.catch(() => undefined)
    await guard?.end(group, worker.hasExited())
    stdin.destroy()
    channel.destroy()
    release()
  }
  return { stdin, stdout: channel, stderr: channel.stderr, exited, kill }
}
