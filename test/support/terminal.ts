import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { TestPanel } from './panel.ts'
import { openSocketTo, type TestSocket, until } from './socket.ts'

export const terminalOf = (serverId: number): string => `/api/servers/${serverId}/terminal`

export const openTerminal = async (
  panel: TestPanel,
  headers: Record<string, string>,
  path = terminalOf(1),
): Promise<TestSocket> => {
  const socket = await openSocketTo(panel, path, headers)
  // What tests type is nothing to remember for anyone who runs them.
  socket.ws.send(Buffer.from('unset HISTFILE\r'))
  return socket
}

/** Types a line and waits for what it shows; the line must be such that its own echo does not fit the pattern. */
export const typeInto = async ({ ws, shown }: TestSocket, line: string, pattern: RegExp): Promise<string> => {
  const from = shown().length
  ws.send(Buffer.from(`${line}\r`))
  await until(`${line} shows ${pattern}`, () => pattern.test(shown().slice(from)))
  return pattern.exec(shown().slice(from))?.[1] ?? ''
}

export const isAlive = (pid: string): boolean => existsSync(`/proc/${pid}`)

/** The shell, and a program in its foreground. */
export const startSleep = async (socket: TestSocket): Promise<string[]> => {
  const shell = await typeInto(socket, 'echo "shell "$$', /shell (\d+)/)
  const child = await typeInto(socket, `sh -c 'echo "child "$$; exec sleep 1000'`, /child (\d+)/)
  assert.ok(isAlive(shell) && isAlive(child))
  return [shell, child]
}

export const untilDead = (pids: readonly string[]): Promise<void> =>
  until(`${pids.join()} are gone`, () => !pids.some(isAlive), 10_000)
