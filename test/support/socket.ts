import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Answer, TestPanel } from './panel.ts'

type Headers = Record<string, string>

/** A client that keeps what it is told. */
export interface TestSocket {
  ws: WebSocket
  /** Text frames, in order. */
  texts: string[]
  /** All binary frames, read as UTF-8. */
  shown(): string
  closed: Promise<{ code: number; reason: string }>
}

const listen = (ws: WebSocket): TestSocket => {
  const texts: string[] = []
  const parts: Buffer[] = []
  ws.on('message', (data: Buffer, isBinary) => void (isBinary ? parts.push(data) : texts.push(data.toString())))
  ws.on('error', () => {})
  const closed = new Promise<{ code: number; reason: string }>(resolve => {
    ws.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  return { ws, texts, shown: () => Buffer.concat(parts).toString(), closed }
}

const answerOf = (ws: WebSocket): Promise<Answer> =>
  new Promise(resolve => {
    ws.once('unexpected-response', (_, response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => void parts.push(part))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as unknown,
        })
      })
    })
  })

const start = (panel: TestPanel, path: string, headers: Headers) =>
  new WebSocket(`ws://localhost:${panel.config.port}${path}`, { headers, perMessageDeflate: false })

/** Opens it; fails when the panel refuses. The panel must be listening. */
export const openSocketTo = async (panel: TestPanel, path: string, headers: Headers): Promise<TestSocket> => {
  const ws = start(panel, path, headers)
  const socket = listen(ws)
  const refused = answerOf(ws).then(({ status, text }) => assert.fail(`not opened: ${status} ${text}`))
  await Promise.race([once(ws, 'open'), refused])
  return socket
}

/** What the panel answers instead of 101; fails when it opens. */
export const refusalOf = (panel: TestPanel, path: string, headers: Headers): Promise<Answer> => {
  const ws = start(panel, path, headers)
  ws.on('error', () => {})
  const opened = once(ws, 'open').then(() => {
    ws.terminate()
    return assert.fail('the panel answered 101')
  })
  return Promise.race([answerOf(ws), opened])
}

/** Waits until it holds. */
export const until = async (what: string, holds: () => boolean, withinMs = 10_000): Promise<void> => {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(20)) if (holds()) return
  assert.fail(`not within ${withinMs} ms: ${what}`)
}
