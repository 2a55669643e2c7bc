import type { Terminal } from '@xterm/xterm'
import type { Tone } from '#web/kit/Status.tsx'
import { api } from './api.ts'
import { type Line, type LineEnd, openLine } from './terminal-line.ts'

export interface SessionState {
  status: { tone: Tone; word: string }
  note: string
  /** Nothing happens any more until someone asks for a new shell. */
  isOver: boolean
}

export interface Session {
  type: Line['type']
  resize: Line['resize']
  reconnect: () => void
  stop: () => void
}

/** After a line was lost: how long to wait before each new attempt. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const

/** Leaves what a program made of the screen, and goes to a new line. */
const AFRESH = '\u001B[?47l\u001B[!p\r\n'

const state = (tone: Tone, word: string, note = '', isOver = false): SessionState => ({
  status: { tone, word },
  note,
  isOver,
})
export const CONNECTING = state('busy', 'Connecting')
const ANOTHER_SHELL = state('good', 'Connected', 'This is a new shell.')
const LOST = state('warning', 'Connection lost', 'Reconnecting. Commands running in the shell may have ended.')

const FOR_GOOD: Record<number, string> = {
  1008: 'The panel rejected the input.',
  1009: 'Too much was pasted at once.',
  4401: 'Your session has expired. Reload the page and sign in again.',
}

/** A browser is not told why a socket was refused, so the server is asked what is wrong with it. */
const whyRefused = async (id: number): Promise<string> => {
  const info = await api.serverInfo({ params: { id }, query: { refresh: 'true' } }).catch(() => undefined)
  if (!info) return "Can't reach the panel. Check that it is running and that you are online."
  return info.problem ?? 'Up to ten terminals can be open at once. Close another one first.'
}

const endOf = async (id: number, { wasOpen, exitCode, code, reason }: LineEnd): Promise<SessionState> => {
  if (!wasOpen) return state('bad', "Couldn't open", await whyRefused(id), true)
  if (exitCode !== null) return state('idle', 'Closed', `The shell ended with exit code ${exitCode}.`, true)
  return state('bad', 'Closed', reason || (FOR_GOOD[code] ?? 'The connection was lost.'), true)
}

/** An end that someone meant is an end. */
const isLost = ({ code, wasOpen, exitCode }: LineEnd) => wasOpen && exitCode === null && !(code in FOR_GOOD)

/** Keeps a terminal in touch with a shell: a line that was lost is opened again, for a time. */
export const startSession = (serverId: number, terminal: Terminal, onState: (state: SessionState) => void): Session => {
  let failures = 0
  let shells = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const onOpen = () => {
    if (shells > 0) terminal.write(AFRESH)
    line.resize(terminal)
    onState(shells > 0 ? ANOTHER_SHELL : state('good', 'Connected'))
    shells += 1
    failures = 0
  }
  const onEnd = async (end: LineEnd) => {
    const waitMs = isLost(end) || failures > 0 ? WAITS_MS[failures] : undefined
    if (waitMs !== undefined) {
      failures += 1
      onState(LOST)
      timer = setTimeout(open, waitMs)
      return
    }
    onState(await endOf(serverId, end))
  }
  const events = { onOpen, onEnd, onBytes: (bytes: Uint8Array) => terminal.write(bytes) }
  let line = openLine(serverId, terminal, events)
  const open = () => {
    line = openLine(serverId, terminal, events)
  }
  return {
    type: bytes => line.type(bytes),
    resize: size => line.resize(size),
    reconnect: () => {
      failures = 0
      onState(CONNECTING)
      open()
    },
    stop: () => {
      clearTimeout(timer)
      line.close()
    },
  }
}
