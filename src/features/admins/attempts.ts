import { randomInt } from 'node:crypto'
import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { type Brake, clearAttempts, countAttempt, nextTurnAt, pruneAttempts, takeTurn } from './attempt-store.ts'

const MINUTE_MS = 60_000
const WINDOW_MS = 15 * MINUTE_MS

/** Twenty guesses are free; then one passes every half minute, every minute, … at last every quarter of an hour. */
const ACCOUNT_BRAKE: Brake = {
  free: 20,
  stepMs: MINUTE_MS / 2,
  longestMs: 15 * MINUTE_MS,
  windowMs: 24 * 60 * MINUTE_MS,
}

/** Names and addresses are chosen by strangers, so what is kept of them has a limit at all times. */
export const ATTEMPTS_KEPT = 100_000
const PRUNE_ONCE_IN = 1000

const tooMany = (waitMs: number) => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const wait = seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return new Problem('rate_limited', `Too many attempts. Wait ${wait}, then try again.`, null, {
    retryAfterSeconds: seconds,
  })
}

const pruneSometimes = async (scope: Scope): Promise<void> => {
  if (randomInt(PRUNE_ONCE_IN) === 0) await pruneAttempts(scope.db, scope.now(), ATTEMPTS_KEPT)
}

/**
 * Lets so many attempts through in a quarter of an hour and refuses the rest, right or wrong. Counted before the check,
 * so that many at once gain nothing; cleared by a success.
 */
export const attempt = async <T>(
  scope: Scope,
  bucket: string,
  allowed: number,
  check: () => Promise<T>,
): Promise<T> => {
  const { count, expires_at } = await countAttempt(scope.db, bucket, scope.now(), WINDOW_MS)
  await pruneSometimes(scope)
  if (count > allowed) throw tooMany(expires_at - scope.now())
  const result = await check()
  await clearAttempts(scope.db, bucket)
  return result
}

/**
 * Slows guessing at one account from many addresses: the more attempts, the longer the pause before the next. Only for
 * addresses no one signed in to the account from, so it keeps no one out; cleared by a success.
 */
export const slowAttempt = async <T>(scope: Scope, bucket: string, check: () => Promise<T>): Promise<T> => {
  if (!(await takeTurn(scope.db, bucket, scope.now(), ACCOUNT_BRAKE)))
    throw tooMany((await nextTurnAt(scope.db, bucket)) - scope.now())
  const result = await check()
  await clearAttempts(scope.db, bucket)
  return result
}

export const WRONG_CODES_ALLOWED = 5
export const WRONG_PASSWORDS_ALLOWED = 5
