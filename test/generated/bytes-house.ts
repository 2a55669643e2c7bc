import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import pino from 'pino'
import { features } from '#app/features.ts'
import { type TestPanel, testPanel } from '#test/support/panel.ts'
import { assertAnswer, type Seen } from './answers.ts'
import { bearer } from './callers.ts'
import { hurriedClock } from './clock.ts'
import { type BytesSeen, newBytesSeen, plantedBytes, plantedLarge } from './planted-bytes.ts'
import { freePort, listening } from './raw.ts'

interface Sent extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string>
}

export interface BytesHouse {
  panel: TestPanel
  seen: BytesSeen
  /** What the panel wrote into its log. */
  log: string[]
  base: string
  ask(path: string, sent?: Sent): Promise<Seen & { bytes: Buffer }>
}

const asker = (base: string, key: string): BytesHouse['ask'] => {
  return async (path, { headers = {}, ...rest } = {}) => {
    const response = await fetch(`${base}${path}`, { ...rest, headers: { ...bearer(key), ...headers } })
    const bytes = Buffer.from(await response.arrayBuffer())
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: bytes.toString(),
      bytes,
    }
    assertAnswer(answer, path, { bodyless: rest.method === 'HEAD' })
    return answer
  }
}

/** A listening panel with endpoints of every kind that carries bytes, and little patience. */
export const openBytesHouse = async (): Promise<BytesHouse> => {
  const seen = newBytesSeen()
  const log: string[] = []
  const panel = await testPanel({
    features: [...features, plantedBytes(seen), plantedLarge(seen)],
    env: { FLEETPRESS_PORT: await freePort() },
    now: hurriedClock(),
    bodyPace: { windowMs: 300, minBytes: 1000 },
    log: pino({ level: 'warn' }, { write: line => void log.push(line) }),
  })
  const base = `http://localhost:${await listening(panel)}`
  return { panel, seen, log, base, ask: asker(base, panel.token.full) }
}

/** Waits until it is so, or the test has failed. */
export const until = async (isSo: () => boolean, about: string): Promise<void> => {
  for (let left = 200; !isSo(); left -= 1) {
    assert.ok(left > 0, about)
    await wait(20)
  }
}
