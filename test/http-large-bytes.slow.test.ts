import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bearer } from './generated/callers.ts'
import { patternFrom } from './generated/planted-bytes.ts'
import { SOAK } from './support/soak.ts'

const MIB = 1_048_576
/** The normal run sends an eighth. */
const SIZE = SOAK ? 2048 * MIB : 256 * MIB
const WARM_UP = 64 * MIB
const GROWTH_LIMIT_MIB = 64
const LOOK_EVERY_MS = 50

const PROGRAM = fileURLToPath(new URL('generated/bytes-process.ts', import.meta.url))

let child: ChildProcess
let base: string
let headers: Record<string, string>
before(async () => {
  child = fork(PROGRAM, { stdio: 'inherit' })
  const [{ port, key }] = (await once(child, 'message')) as [{ port: number; key: string }]
  base = `http://localhost:${port}/api/planted/large`
  headers = bearer(key)
})
after(() => child.disconnect())

const residentMiB = (): number => {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
}

/** How far the panel's memory rose above where it began, at its worst. */
const grownDuring = async (work: () => Promise<void>): Promise<number> => {
  const before = residentMiB()
  let most = before
  const looking = setInterval(() => {
    most = Math.max(most, residentMiB())
  }, LOOK_EVERY_MS)
  await work()
  clearInterval(looking)
  return most - before
}

const digest = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}

const expected = (size: number) => digest(patternFrom({ start: 0, end: size - 1 }))

const send = async (size: number): Promise<{ sizeBytes: number; sha256: string }> => {
  const sent = request(base, { method: 'PUT', headers: { ...headers, 'content-type': 'application/octet-stream' } })
  const [[answer]] = await Promise.all([
    once(sent, 'response') as Promise<[Readable]>,
    pipeline(patternFrom({ start: 0, end: size - 1 }), sent),
  ])
  return (await new Response(Readable.toWeb(answer) as ReadableStream).json()) as { sizeBytes: number; sha256: string }
}

const fetchFrom = async (size: number, start = 0): Promise<Response> =>
  fetch(`${base}?size=${size}`, {
    headers: { ...headers, ...(start > 0 && { range: `bytes=${start}-`, 'if-range': `"pattern-${size}"` }) },
  })

describe(`${SIZE / MIB} MiB through one endpoint`, () => {
  before(async () => {
    await send(WARM_UP)
    for await (const _ of (await fetchFrom(WARM_UP)).body ?? []);
  })

  it(`go up while the panel grows by less than ${GROWTH_LIMIT_MIB} MiB`, async context => {
    let answer: unknown
    const grown = await grownDuring(async () => {
      answer = await send(SIZE)
    })
    assert.deepEqual(answer, { sizeBytes: SIZE, sha256: await expected(SIZE) })
    context.diagnostic(`grown by ${grown.toFixed(0)} MiB`)
    assert.ok(grown < GROWTH_LIMIT_MIB, `the panel grew by ${grown} MiB`)
  })

  it(`come down, broken off and resumed, while it grows by less than ${GROWTH_LIMIT_MIB} MiB`, async context => {
    const hash = createHash('sha256')
    let received = 0
    const grown = await grownDuring(async () => {
      for (const stopAfter of [SIZE / 3, SIZE / 2, SIZE]) {
        const response = await fetchFrom(SIZE, received)
        assert.equal(response.status, received === 0 ? 200 : 206)
        for await (const part of response.body ?? []) {
          hash.update(part)
          received += part.length
          if (received >= stopAfter) break
        }
      }
    })
    assert.equal(received, SIZE)
    assert.equal(hash.digest('hex'), await expected(SIZE))
    context.diagnostic(`grown by ${grown.toFixed(0)} MiB`)
    assert.ok(grown < GROWTH_LIMIT_MIB, `the panel grew by ${grown} MiB`)
  })

  it('wait for a reader that pauses: nothing piles up', async context => {
    const response = await fetchFrom(SIZE)
    const reader = response.body?.getReader()
    await reader?.read()
    const grown = await grownDuring(() => new Promise(resolve => setTimeout(resolve, 2000)))
    context.diagnostic(`grown by ${grown.toFixed(0)} MiB`)
    assert.ok(grown < GROWTH_LIMIT_MIB / 2, `the panel grew by ${grown} MiB`)
    await reader?.cancel()
  })
})
