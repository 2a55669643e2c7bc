import { type ExecResult, execIn } from '#drivers/docker/exec.ts'
import { parseQueue, type QueuedMessage } from '#drivers/postfix/parse-queue.ts'
import { dockerOf } from '#features/stack/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import type { Scope } from '#platform/scope.ts'
import { RELAY } from '../relay/names.ts'

type Work = Pick<Scope, 'hosts'>

const LIMIT_MS = 20_000
const LONGEST_REASON = 600

/** Runs a program of Postfix in the relay of a server. */
export const inRelay = async (
  { hosts }: Work,
  serverId: number,
  words: readonly [string, ...string[]],
  stdin?: string,
): Promise<ExecResult> => {
  const result = await execIn(dockerOf(hosts.get(serverId)), RELAY, words, {
    timeoutMs: LIMIT_MS,
    ...(stdin !== undefined && { stdin }),
  })
  if (result.exitCode !== 0)
    throw new Problem('bad_gateway', `The relay of this server could not do it. Check that it is running.`)
  return result
}

/** What waits on a server, oldest first. */
export const readQueue = async (scope: Work, serverId: number): Promise<QueuedMessage[]> => {
  const { stdout } = await inRelay(scope, serverId, ['postqueue', '-j'])
  return parseQueue(stdout).toSorted((a, b) => a.arrivedAt - b.arrivedAt)
}

export const showQueued = (serverId: number, message: QueuedMessage) => ({
  serverId,
  queueId: message.queueId,
  queue: cleanLine(message.queue),
  from: cleanLine(message.from),
  sizeBytes: message.sizeBytes,
  arrivedAt: message.arrivedAt,
  recipients: message.recipients.map(({ to, reason }) => ({
    to: cleanLine(to),
    reason: reason === null ? null : cleanLine(reason, LONGEST_REASON),
  })),
})

export const flushQueue = async (scope: Work, serverId: number): Promise<number> => {
  const waiting = await readQueue(scope, serverId)
  if (waiting.length > 0) await inRelay(scope, serverId, ['postqueue', '-f'])
  return waiting.length
}

/** Those that were waiting when asked: each is named, so that the log says what happened to it. */
export const dropQueued = async (scope: Work, serverId: number, queueId: string): Promise<number> => {
  const waiting = (await readQueue(scope, serverId)).map(message => message.queueId)
  const wanted = queueId === 'ALL' ? waiting : waiting.filter(id => id === queueId)
  if (queueId !== 'ALL' && wanted.length === 0)
    throw new Problem('not_found', `No message ${queueId} is waiting on this server. It was sent or dropped already.`)
  if (wanted.length > 0) await inRelay(scope, serverId, ['postsuper', '-d', '-'], `${wanted.join('\n')}\n`)
  return wanted.length
}
