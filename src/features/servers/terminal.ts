import { once } from 'node:events'
import { describeActor } from '#platform/access/actor.ts'
import type { Request } from '#platform/contract/endpoint.ts'
import { Problem } from '#platform/contract/problem.ts'
import type { HostShell } from '#platform/host/host.ts'
import type { Conversation, SocketScope } from '#platform/http/handlers.ts'
import type { Message } from '#platform/http/socket.ts'
import { type servers, type TerminalExit, TerminalResize } from './contract.ts'
import { getServer } from './server-store.ts'

type TerminalRequest = Request<(typeof servers)['serverTerminal']>

/** Opens the shell first, so that a server that does not answer is an error and no socket. */
export const serverTerminal = async ({ params, query }: TerminalRequest, scope: SocketScope): Promise<Conversation> => {
  const { id } = await getServer(scope.db, params.id)
  const shell = await scope.hosts.get(id).shell({ ...query, signal: scope.gone })
  return async socket => {
    const facts = { serverId: id, actor: describeActor(scope.actor), requestId: scope.caller.requestId }
    scope.log.info(facts, 'a terminal was opened')
    try {
      socket.receive(message => take(shell, message, scope.gone))
      for await (const shown of shell) await socket.send(shown as Buffer)
      const { exitCode } = await shell.exited
      await socket.send(JSON.stringify({ type: 'exit', exitCode } satisfies TerminalExit))
    } finally {
      await shell.kill()
      scope.log.info(facts, 'a terminal was closed')
    }
  }
}

/** Bytes are typed, JSON is about the terminal itself. */
const take = (shell: HostShell, message: Message, gone: AbortSignal): void | Promise<void> => {
  if (typeof message === 'string') {
    const { cols, rows } = readResize(message)
    return shell.resize(cols, rows)
  }
  if (!shell.writable || shell.write(message)) return undefined
  return once(shell, 'drain', { signal: gone }).then(() => undefined)
}

const readResize = (text: string): TerminalResize => {
  const parsed = TerminalResize.safeParse(parseJson(text))
  if (!parsed.success) throw new Problem('validation_error', 'Text must be {"type":"resize","cols":80,"rows":24}.')
  return parsed.data
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
