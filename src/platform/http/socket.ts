import type { WebSocket } from 'ws'
import { Problem } from '#platform/contract/problem.ts'
import { HostError } from '#platform/host/errors.ts'
import type { Log } from '#platform/log/log.ts'

/** A text frame is a string, a binary one a buffer. */
export type Message = string | Buffer

/** A WebSocket as the conversation over it sees it. */
export interface PanelSocket {
  /** Resolves when there is room for more, so anyone who waits for it never runs ahead of a slow reader. */
  send(message: Message): Promise<void>
  /** To be called at once. Messages come one after the other; a `Problem` closes the socket with its sentence. */
  receive(onMessage: (message: Message) => void | Promise<void>): void
}

/** What the panel itself also does with it. */
interface OpenSocket extends PanelSocket {
  close(code: number, reason: string): void
  fail(error: unknown): void
}

export const CLOSE = {
  done: 1000,
  stopping: 1001,
  wrongMessage: 1008,
  mistake: 1011,
  hostLost: 1014,
  revoked: 4401,
} as const

const WAITING_BYTES = 1_048_576
const HEARTBEAT = { pingEveryMs: 20_000, pongWithinMs: 10_000 }

/** `gone` is aborted as soon as the socket begins to close: the other end may take its time to agree. */
export const openSocket = (ws: WebSocket, gone: AbortController, log: Log, heartbeat = HEARTBEAT): OpenSocket => {
  const heard = keepAsking(ws, heartbeat)
  const close = (code: number, reason: string) => {
    gone.abort()
    ws.close(code, reason)
  }
  const fail = (error: unknown) => {
    // What breaks off because the caller left is not a mistake.
    if (gone.signal.aborted) return
    if (error instanceof Problem) return close(CLOSE.wrongMessage, shortened(error.message))
    if (error instanceof HostError) return close(CLOSE.hostLost, shortened(error.message))
    log.error({ err: error }, 'a WebSocket failed unexpectedly')
    close(CLOSE.mistake, 'Internal error. See the panel log.')
  }
  // Frames that are too large or no UTF-8 are answered by `ws` itself.
  ws.on('error', () => gone.abort())
  const send = (message: Message) =>
    new Promise<void>(resolve => {
      if (ws.readyState !== ws.OPEN) return resolve()
      ws.send(message, () => {
        heard()
        resolve()
      })
      if (ws.bufferedAmount < WAITING_BYTES) resolve()
    })
  return { send, receive: receiver(ws, gone.signal, fail), close, fail }
}

const receiver =
  (ws: WebSocket, gone: AbortSignal, fail: (error: unknown) => void): PanelSocket['receive'] =>
  onMessage => {
    let turn = Promise.resolve()
    const take = async (message: Message) => {
      if (gone.aborted) return
      const taken = onMessage(message)
      if (!taken) return
      ws.pause()
      await taken.finally(() => ws.resume())
    }
    ws.on('message', (data: Buffer, isBinary) => {
      turn = turn.then(() => take(isBinary ? data : data.toString())).catch(fail)
    })
  }

/** Of a close frame 123 bytes are for the reason; a character cut in two is left out. */
const shortened = (reason: string) =>
  Buffer.from(reason)
    .subarray(0, 120)
    .toString()
    .replace(/\ufffd+$/, '')

/** Nothing is heard of a machine that lost its network, so it is asked; data that still flows is an answer too. */
const keepAsking = (ws: WebSocket, { pingEveryMs, pongWithinMs }: typeof HEARTBEAT): (() => void) => {
  let deadline: NodeJS.Timeout | undefined
  const heard = () => clearTimeout(deadline)
  const ask = () => {
    ws.ping()
    deadline = setTimeout(() => ws.terminate(), pongWithinMs)
  }
  const asking = setInterval(ask, pingEveryMs)
  ws.on('pong', heard)
  ws.on('message', heard)
  ws.on('close', () => {
    clearInterval(asking)
    heard()
  })
  return heard
}
