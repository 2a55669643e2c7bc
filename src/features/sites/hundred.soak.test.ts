import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WarmServer, warmServer } from '#test/support/warm-server.ts'

const SITES = 100
/** Around the 5th and the 100th, so that one moment of a busy machine decides nothing. */
const COMPARED = 7
const MOST_TIMES = 1.5
/** Until php-fpm has ended the processes that answered. */
const IDLE_MS = 40_000
const MIB = 1024 ** 2

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

describe(`${SITES} sites on one server`, { timeout: 60 * 60_000 }, () => {
  let house: WarmServer
  const taken: number[] = []
  before(async () => {
    house = await warmServer()
  })
  after(() => house?.[Symbol.asyncDispose]())

  it('are created at an even pace', async t => {
    for (let number = taken.length; number < SITES; number += 1) {
      taken.push((await house.createTimed(`site-${number}`)).takenMs)
      await house.settled()
    }
    const [early, late] = [median(taken.slice(1, 1 + COMPARED)), median(taken.slice(-COMPARED))]
    t.diagnostic(`the 5th takes ${early.toFixed(0)} ms, the ${SITES}th ${late.toFixed(0)} ms`)
    assert.ok(late <= early * MOST_TIMES, `${late} ms against ${early} ms`)
  })

  it('all answer, and at rest take little memory', async t => {
    const answers = await house.shell(`for number in $(seq 0 ${SITES - 1}); do
      exec 3<> /dev/tcp/127.0.0.1/80
      printf "GET / HTTP/1.1\\r\\nHost: site-$number.${house.servers[0]?.name}.localhost\\r\\nConnection: close\\r\\n\\r\\n" >&3
      head -n 1 <&3
    done`)
    assert.deepEqual([...new Set(answers.trim().split(/\r?\n/))], ['HTTP/1.1 200 OK'])
    await sleep(IDLE_MS)
    const memory: number[] = []
    for (let number = 0; number < SITES; number += 10)
      memory.push(await house.memoryOf(`fleetpress-site-site-${number}`))
    t.diagnostic(`${(median(memory) / MIB).toFixed(1)} MiB per idle site`)
    assert.ok(median(memory) < 40 * MIB)
  })
})
