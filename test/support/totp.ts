import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { Browser, TestPanel } from './panel.ts'

export const STEP_MS = 30_000

export interface Clock {
  now(): number
  forward(ms: number): void
  /** To the beginning of the next half minute, so that what follows happens within one. */
  toNextStep(): void
}

/** A clock for the panel's `now` that a test can move. */
export const movableClock = (): Clock => {
  let ahead = 0
  const now = () => Date.now() + ahead
  return {
    now,
    forward: ms => {
      ahead += ms
    },
    toNextStep: () => {
      ahead += STEP_MS - (now() % STEP_MS) + 1
    },
  }
}

/** What an authenticator shows at this time. */
export const codeAt = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret), period: 30 }).generate({ timestamp: at })

/** A code of no half minute near this time. */
export const wrongCode = (secret: string, at: number): string => {
  const near = [-2, -1, 0, 1, 2].map(step => codeAt(secret, at + step * STEP_MS))
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find(code => !near.includes(code)) ?? ''
}

export const beginTotp = async (panel: TestPanel, browser: Browser, password: string): Promise<string> => {
  const begun = await panel.askAs(browser, '/api/account/totp', { method: 'POST', body: { password } })
  assert.equal(begun.status, 200, begun.text)
  return (begun.json() as { secret: string }).secret
}

/** Switches a person's second factor on. The step it used is spent afterwards. */
export const enrolTotp = async (
  panel: TestPanel,
  browser: Browser,
  password: string,
  clock: Clock,
): Promise<{ secret: string; recoveryCodes: string[] }> => {
  const secret = await beginTotp(panel, browser, password)
  const body = { code: codeAt(secret, clock.now()) }
  const enabled = await panel.askAs(browser, '/api/account/totp', { method: 'PUT', body })
  assert.equal(enabled.status, 200, enabled.text)
  const { recoveryCodes } = enabled.json() as { recoveryCodes: string[] }
  clock.forward(2 * STEP_MS)
  return { secret, recoveryCodes }
}

/** The first half of signing in, for someone with a second factor. */
export const challengeFor = async (
  panel: TestPanel,
  { email, password }: { email: string; password: string },
  from = '127.0.0.1',
): Promise<string> => {
  const answer = await panel.ask('/api/auth/login', { method: 'POST', body: { email, password }, from })
  assert.equal(answer.status, 200, answer.text)
  const { challenge } = answer.json() as { challenge?: string }
  assert.ok(challenge, 'a second factor is asked for')
  return challenge
}
