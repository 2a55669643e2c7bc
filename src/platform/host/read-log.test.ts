import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { LocalHost } from './local-host.ts'
import { type Positions, readLog } from './read-log.ts'

const host = new LocalHost()
const PLENTY = 1024 * 1024

/** A log as a server and its rotation make it, and a reader of it. */
const trial = (folder: string) => {
  const current = join(folder, 'access.json')
  let number = 0
  let positions: Positions = {}
  return {
    current,
    written: [] as string[],
    read: [] as string[],
    next() {
      number += 1
      const line = `{"time":"${1_750_000_000 + number}.123","site":"shop","uri":"/é/${number}"}`
      this.written.push(line)
      return line
    },
    append(count = 1, file = current) {
      for (let done = 0; done < count; done++) appendFileSync(file, `${this.next()}\n`)
    },
    rotate() {
      for (const older of [2, 1])
        if (existsSync(`${current}.${older}`)) renameSync(`${current}.${older}`, `${current}.${older + 1}`)
      if (existsSync(current)) renameSync(current, `${current}.1`)
    },
    async readOnce(mostBytes = PLENTY) {
      const reading = await readLog(host, positions, { folder, name: 'access.json', mostBytes })
      positions = reading.positions
      this.read.push(...reading.lines)
      return reading
    },
    async readAll(mostBytes = PLENTY) {
      while ((await this.readOnce(mostBytes)).isPart);
    },
  }
}

describe('a log that is put aside now and then', { timeout: 300_000 }, () => {
  let folder: string
  let log: ReturnType<typeof trial>
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fleetpress-log-'))
    log = trial(folder)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const allRead = () => assert.deepEqual(log.read.toSorted(), log.written.toSorted())

  it('is nothing as long as there is none', async () => {
    assert.deepEqual(await log.readOnce(), { lines: [], positions: {}, isPart: false })
    writeFileSync(log.current, '')
    assert.deepEqual((await log.readOnce()).lines, [])
  })

  it('is read from where the last reading ended', async () => {
    log.append(3)
    await log.readOnce()
    assert.deepEqual((await log.readOnce()).lines, [])
    log.append(2)
    assert.equal((await log.readOnce()).lines.length, 2)
    allRead()
  })

  it('is read line by line: one that is still being written waits', async () => {
    const line = log.next()
    appendFileSync(log.current, line.slice(0, 50))
    assert.deepEqual((await log.readOnce()).lines, [])
    appendFileSync(log.current, `${line.slice(50)}\n`)
    assert.deepEqual((await log.readOnce()).lines, [line])
  })

  it('continues through a rotation, also with what a slow worker writes to the file that was put aside', async () => {
    log.append(3)
    await log.readOnce()
    log.append(2)
    log.rotate()
    log.append(2)
    await log.readOnce()
    log.append(1, `${log.current}.1`)
    await log.readOnce()
    log.rotate()
    log.rotate()
    log.append(1)
    await log.readOnce()
    allRead()
  })

  it('begins again in a file that was emptied, however large it has become again', async () => {
    log.append(2)
    await log.readOnce()
    truncateSync(log.current)
    log.append(20)
    await log.readOnce()
    allRead()
  })

  it('is read in parts when there is much, the oldest first', async () => {
    log.append(40)
    log.rotate()
    log.append(40)
    const first = await log.readOnce(500)
    assert.equal(first.isPart, true)
    assert.deepEqual(first.lines, log.written.slice(0, first.lines.length))
    await log.readAll(500)
    allRead()
  })

  it('is not stopped by a line without an end, nor by bytes that are not text', async () => {
    appendFileSync(log.current, Buffer.alloc(5000, 0xff))
    appendFileSync(log.current, '\n')
    log.append(3)
    await log.readAll(1000)
    assert.deepEqual(
      log.read.filter(line => line.startsWith('{')),
      log.written,
    )
  })

  it('loses nothing and tells nothing twice while it is written, put aside and read all at once', async () => {
    const written = new AbortController()
    const write = async () => {
      for (let round = 0; round < 400; round++) {
        log.append(5)
        // Never more than the reader can keep up with: what was put aside three times is gone.
        if (round % 100 === 99) log.rotate()
        await sleep(2)
      }
      written.abort()
    }
    const read = async () => {
      while (!written.signal.aborted) await log.readOnce(20_000)
      await log.readAll(20_000)
    }
    await Promise.all([write(), read()])
    assert.equal(log.written.length, 2000)
    allRead()
  })

  it('is told exactly once, whatever happens to it in whatever order', async () => {
    const act = fc.oneof(
      { weight: 4, arbitrary: fc.record({ append: fc.integer({ min: 1, max: 30 }) }) },
      { weight: 3, arbitrary: fc.record({ read: fc.constantFrom(300, 1000, PLENTY) }) },
      { weight: 1, arbitrary: fc.constant({ rotate: true }) },
      { weight: 1, arbitrary: fc.constant({ empty: true }) },
      { weight: 1, arbitrary: fc.constant({ late: true }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 15 }), async acts => {
        rmSync(folder, { recursive: true, force: true })
        folder = mkdtempSync(join(tmpdir(), 'fleetpress-log-'))
        const one = trial(folder)
        for (const done of acts) {
          if ('append' in done) one.append(done.append)
          if ('read' in done) await one.readOnce(done.read)
          // Read before anything is deleted: what no one read in time is gone, and that is not a fault of the reader.
          if ('rotate' in done || 'empty' in done) await one.readAll(1000)
          if ('rotate' in done) one.rotate()
          if ('empty' in done && existsSync(one.current)) truncateSync(one.current)
          if ('late' in done && existsSync(`${one.current}.1`)) one.append(1, `${one.current}.1`)
        }
        await one.readAll(1000)
        assert.deepEqual(one.read.toSorted(), one.written.toSorted())
      }),
      { numRuns: 60 },
    )
  })
})
