import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addPerson, letterFiles, type Person, untilLettersSettled } from '#test/support/outbox.ts'
import { ENGINES, type Engine, OWNER, type TestPanel, testPanel } from '#test/support/panel.ts'
import { SOAK } from '#test/support/soak.ts'
import { movableClock } from '#test/support/totp.ts'

const DAY_MS = 86_400_000
/** Where no one has signed in from: known addresses are not slowed. */
const STRANGER = '192.0.2.1'
/** A password that is not hashed shows after a few; on the second database only the statements around it differ. */
const SAMPLES: Record<Engine, number> = { sqlite: 500, postgres: SOAK ? 500 : 100 }

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** How likely series as different as these are when both come from the same source (Mann-Whitney U, two-sided). */
const mannWhitney = (left: readonly number[], right: readonly number[]): number => {
  const both = [...left.map(value => ({ value, isLeft: true })), ...right.map(value => ({ value, isLeft: false }))]
  const ranked = both.toSorted((a, b) => a.value - b.value)
  const rankSum = ranked.reduce((sum, { isLeft }, index) => (isLeft ? sum + index + 1 : sum), 0)
  const [n, m] = [left.length, right.length]
  const u = rankSum - (n * (n + 1)) / 2
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  // The upper tail of the normal distribution (Abramowitz and Stegun 26.2.17).
  const t = 1 / (1 + 0.2316419 * z)
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return Math.min(1, (2 * Math.exp((-z * z) / 2) * polynomial) / Math.sqrt(2 * Math.PI))
}

/** Measures both in turn, so that whatever else the machine does hits both alike. */
const sample = async (pairs: number, one: () => Promise<number>, other: () => Promise<number>) => {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < pairs; round += 1) {
    if (round % 2 === 0) times[0].push(await one())
    times[1].push(await other())
    if (round % 2 === 1) times[0].push(await one())
  }
  return times
}

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const assertAlike = ([one, other]: [number[], number[]]) => {
  const [left, right] = [median(one), median(other)]
  const p = mannWhitney(one, other)
  assert.ok(
    Math.abs(left - right) < 5 || p > 0.01,
    `the medians are ${left.toFixed(2)} and ${right.toFixed(2)} ms, p is ${p.toFixed(4)}`,
  )
  return { left, right, p }
}

describe('the test of two series', () => {
  it('tells different ones apart and takes equal ones for equal', () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => ((index * 7919) % 1009) / 100)
    const series = (part: number, shift = 0) => numbers.filter((_, index) => index % 2 === part).map(n => n + shift)
    assert.ok(mannWhitney(series(0), series(1, 15)) < 0.0001)
    assert.ok(mannWhitney(series(0), series(1)) > 0.05)
    assert.throws(() => assertAlike([series(0), series(1, 15)]))
  })
})

for (const engineName of ENGINES) {
  describe(`how long answers take on ${engineName}`, { timeout: 300_000 }, () => {
    let panel: TestPanel
    let anna: Person
    const clock = movableClock()
    const login = (email: string, password: string) => () => {
      clock.forward(DAY_MS + 1000)
      return timeOf(async () => {
        const answer = await panel.ask('/api/auth/login', { method: 'POST', body: { email, password }, from: STRANGER })
        assert.equal(answer.status, 401, answer.text)
      })
    }
    const answers = new Set<string>()
    const forgot = async (email: string) => {
      const answer = await panel.ask('/api/auth/forgot-password', { method: 'POST', body: { email } })
      const { 'x-request-id': _id, date: _date, ...headers } = answer.headers
      answers.add(`${answer.status} ${JSON.stringify(headers)} ${answer.text}`)
    }
    before(async () => {
      panel = await testPanel({ engineName, now: clock.now })
      anna = await addPerson(panel, 'anna@example.com')
    })
    after(() => panel.stop())

    it('a wrong password takes as long for an address no one has', async () => {
      const times = await sample(
        SAMPLES[engineName] / 2,
        login(anna.email, 'wrong'),
        login('nobody@example.com', 'wrong'),
      )
      const { left } = assertAlike(times)
      assert.ok(left > 2, `${left} ms is too fast for a password to have been hashed`)
    })

    it('a password takes as long for someone who is invited or locked out', async () => {
      await panel.owner()
      // Many days have passed by now, and with them the session from the setup.
      const owner = await panel.signIn(OWNER.email, OWNER.password)
      const body = { email: 'invited@example.com', name: 'Invited', password: OWNER.password }
      await panel.askAs(owner, '/api/admins', { method: 'POST', body })
      const locked = { disabled: true, password: OWNER.password }
      await panel.askAs(owner, `/api/admins/${anna.id}`, { method: 'PATCH', body: locked })
      assertAlike(await sample(40, login(anna.email, anna.password), login('invited@example.com', 'wrong')))
    })

    it('asking for a new password takes as long, and answers the same, for an address no one has', async () => {
      const asked = (email: string) => async () => {
        clock.forward(61_000)
        const time = await timeOf(() => forgot(email))
        await sleep(5)
        return time
      }
      const times = await sample(150, asked(OWNER.email), asked('nobody@example.com'))
      const { left, right, p } = assertAlike(times)
      // Without a password to hash, what is left to see would be small.
      assert.ok(Math.abs(left - right) < 0.25 || p > 0.001, `the medians are ${left} and ${right} ms, p is ${p}`)
      assert.equal(answers.size, 1, [...answers].join('\n'))
      await untilLettersSettled()
      assert.ok(letterFiles(panel).length > 0, 'the letters were really written')
      for (const file of letterFiles(panel)) rmSync(file)
    })
  })
}
