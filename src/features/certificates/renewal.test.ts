import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { certificateNames, coversName, needsCertificate } from './names.ts'
import { type Chance, nextAttempt, renewAt, takeAttempt } from './renewal.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const CERTIFICATES = 1000
/** The authority is gone for a day, six times a year. */
const OUTAGES = [20, 90, 151, 152.5, 240, 330].map(day => ({ from: day * DAY_MS, until: (day + 1) * DAY_MS }))
const BROKEN = 20

interface Simulated {
  notBefore: number
  notAfter: number
  renewAt: number
  attempts: number
  nextAttemptAt: number
  broken: boolean
}

/** The same numbers in every run. */
const seeded = (seed: number): Chance => {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
}

const renew = (one: Simulated, now: number, lifetimeMs: number, withWindow: boolean, random: Chance) => {
  Object.assign(one, { notBefore: now, notAfter: now + lifetimeMs, attempts: 0, nextAttemptAt: 0 })
  const startAt = now + lifetimeMs * 0.6
  const window = withWindow ? { startAt, endAt: startAt + lifetimeMs * 0.05 } : undefined
  one.renewAt = renewAt(one, window, random)
}

/** A year of minutes; those in which nothing is due are left out. */
const simulate = (lifetimeDays: number, withWindow: boolean) => {
  const random = seeded(lifetimeDays)
  const all: Simulated[] = Array.from({ length: CERTIFICATES }, (_, number) => {
    return { notBefore: 0, notAfter: YEAR_MS, renewAt: 0, attempts: 0, nextAttemptAt: 0, broken: number < BROKEN }
  })
  let recent: number[] = []
  const result = { expired: 0, attempts: 0, most: 0, renewed: 0 }
  const attempt = (one: Simulated, now: number) => {
    result.attempts += 1
    if (one.notAfter <= now && !one.broken) result.expired += 1
    const isDown = OUTAGES.some(({ from, until }) => now >= from && now < until)
    if (one.broken || isDown || random() < 0.02) {
      one.attempts += 1
      one.nextAttemptAt = nextAttempt(one.attempts, now, one.notAfter)
      return
    }
    result.renewed += 1
    renew(one, now, lifetimeDays * DAY_MS, withWindow, random)
  }
  const dueAt = (one: Simulated) => Math.max(one.renewAt, one.nextAttemptAt)
  for (let now = 0; now < YEAR_MS; ) {
    const due = all.filter(one => dueAt(one) <= now)
    for (const one of due.toSorted((a, b) => a.attempts - b.attempts || a.notAfter - b.notAfter)) {
      const slot = takeAttempt(recent, now)
      if ('waitUntil' in slot) break
      recent = slot.recent
      result.most = Math.max(result.most, recent.length)
      attempt(one, now)
    }
    const next = all.reduce((first, one) => Math.min(first, dueAt(one)), Infinity)
    now = Math.max(now + MINUTE_MS, Math.ceil(next / MINUTE_MS) * MINUTE_MS)
  }
  const left = all.filter(one => !one.broken && one.notAfter <= YEAR_MS && one.renewAt !== 0).length
  return { ...result, expired: result.expired + left }
}

void describe('renewing certificates', { timeout: 300_000 }, () => {
  for (const lifetimeDays of [6, 45, 64, 90]) {
    for (const withWindow of [false, true]) {
      const how = withWindow ? 'when the authority suggests' : 'at two thirds'
      void it(`none of 1,000 certificates of ${lifetimeDays} days, renewed ${how}, expires in a year with outages`, test => {
        const { expired, most, attempts, renewed } = simulate(lifetimeDays, withWindow)
        test.diagnostic(`${renewed} renewed in ${attempts} attempts, at most ${most} a minute`)
        assert.equal(expired, 0)
        assert.ok(most <= 10)
        assert.ok(renewed > (CERTIFICATES - BROKEN) * (365 / lifetimeDays))
      })
    }
  }

  void it('happens at a random moment of the window, else at two thirds, and never in the last tenth', () => {
    const lifetime = { notBefore: 0, notAfter: 90 * DAY_MS }
    assert.equal(renewAt(lifetime), 60 * DAY_MS)
    const window = { startAt: 50 * DAY_MS, endAt: 52 * DAY_MS }
    const moments = Array.from({ length: 200 }, () => renewAt(lifetime, window))
    assert.ok(moments.every(at => at >= window.startAt && at < window.endAt))
    assert.ok(new Set(moments).size > 190)
    assert.equal(renewAt(lifetime, { startAt: 100 * DAY_MS, endAt: 200 * DAY_MS }), 81 * DAY_MS)
    assert.ok(renewAt(lifetime, { startAt: -2 * DAY_MS, endAt: -DAY_MS }) < 0)
  })

  void it('is tried again after a minute, then ever more slowly, at most a day later', () => {
    const waits = Array.from({ length: 15 }, (_, index) => nextAttempt(index + 1, 0) / MINUTE_MS)
    assert.deepEqual(waits.slice(0, 5), [1, 2, 4, 8, 16])
    assert.deepEqual(waits.slice(-3), [1440, 1440, 1440])
    assert.equal(nextAttempt(1000, 0), DAY_MS)
  })

  void it('is tried more often when little time is left', () => {
    assert.equal(nextAttempt(20, 0, 2 * DAY_MS), DAY_MS / 6)
    assert.equal(nextAttempt(20, 0, MINUTE_MS), MINUTE_MS)
    assert.equal(nextAttempt(20, DAY_MS, DAY_MS / 2), 2 * DAY_MS)
  })

  void it('takes turns: ten in any minute, also after the clock was set back', () => {
    const ten = Array.from({ length: 10 }, (_, number) => 1000 * number)
    assert.deepEqual(takeAttempt(ten, 30_000), { waitUntil: 60_000 })
    assert.deepEqual(takeAttempt(ten, 60_000), { recent: [...ten.slice(1), 60_000] })
    assert.deepEqual(takeAttempt(ten, -1), { recent: [-1] })
  })
})

void describe('names of certificates', () => {
  void it('are sorted and unique, so that the same names are the same certificate', () => {
    assert.deepEqual(certificateNames(['b.example.com', 'a.example.com', 'b.example.com']), [
      'a.example.com',
      'b.example.com',
    ])
  })

  void it('are public names in lower case', () => {
    const refused = [
      '',
      'Blog.example.com',
      'a b.com',
      '*',
      '*.com',
      '**.example.com',
      '*.*.example.com',
      'a.*.example.com',
      '*.localhost',
      'example',
      'localhost',
      'blog.localhost',
      '127.0.0.1',
    ]
    for (const name of [...refused, 'a.example.com.', '-a.com', 'a..com', 'ä.com', '../x.com', 'a.com\n'])
      assert.throws(() => certificateNames([name]), { code: 'validation_error' }, name)
    for (const count of [0, 101])
      assert.throws(() => certificateNames(Array.from({ length: count }, (_, number) => `${number}.example.com`)))
  })

  void it('may be wildcards, which are good for the names right below and no others', () => {
    assert.deepEqual(certificateNames(['*.example.com']), ['*.example.com'])
    const covered = ['a.example.com', 'example.com', 'a.b.example.com', 'aexample.com', '*.example.com']
    const good = covered.filter(name => coversName('*.example.com', name))
    assert.deepEqual(good, ['a.example.com', '*.example.com'])
    assert.ok(coversName('example.com', 'example.com') && !coversName('example.com', 'a.example.com'))
  })

  void it('need none below localhost', () => {
    assert.deepEqual(['localhost', 'a.localhost', 'localhost.example.com', 'notlocalhost'].map(needsCertificate), [
      false,
      false,
      true,
      true,
    ])
  })
})
