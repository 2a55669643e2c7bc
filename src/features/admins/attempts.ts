import { Problem } from '#platform/contract/problem.ts'
import type { Scope } from '#platform/scope.ts'
import { clearAttempts, countAttempt } from './attempt-store.ts'

const WINDOW_MS = 15 * 60_000

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
  if (count > allowed) {
    const seconds = Math.max(1, Math.ceil((expires_at - scope.now()) / 1000))
    throw new Problem(
      'rate_limited',
      `Too many attempts. Wait ${Math.ceil(seconds / 60)} min, then try again.`,
      null,
      seconds,
    )
  }
  const result = await check()
  await clearAttempts(scope.db, bucket)
  return result
}

export const WRONG_CODES_ALLOWED = 5
export const WRONG_PASSWORDS_ALLOWED = 5
