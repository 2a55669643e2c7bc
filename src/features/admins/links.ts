import { randomInt } from 'node:crypto'
import { type Letter, sendLetter } from '#features/panel/index.ts'
import type { Scope } from '#platform/scope.ts'
import { hashOf, randomToken } from './sessions.ts'
import type { TokenPurpose } from './tables.ts'
import { replaceToken } from './token-store.ts'

const HOUR_MS = 3_600_000
const SEND_AFTER_MS = { from: 20, to: 120 }

/** Where each kind of link leads, and how long it works. Tokens are in the fragment, which no server log ever sees. */
const KINDS: Record<Exclude<TokenPurpose, 'login'>, { page: string; validMs: number }> = {
  setup: { page: 'setup', validMs: 24 * HOUR_MS },
  invitation: { page: 'invitation', validMs: 7 * 24 * HOUR_MS },
  reset: { page: 'reset-password', validMs: HOUR_MS },
  email: { page: 'confirm-email', validMs: 24 * HOUR_MS },
}

/** A link that works once. Its address is the configured one, never what a request claimed. */
export const newLink = async (
  scope: Scope,
  purpose: keyof typeof KINDS,
  adminId: string | null,
  email: string | null = null,
): Promise<string> => {
  const token = randomToken()
  const now = scope.now()
  const { page, validMs } = KINDS[purpose]
  await replaceToken(scope.db, {
    token_hash: hashOf(token),
    purpose,
    admin_id: adminId,
    email,
    created_at: now,
    expires_at: now + validMs,
  })
  return `${scope.installation.publicUrl}/${page}#token=${token}`
}

/**
 * Sent some time after the answer, and never the same time: neither how long the answer takes nor a pause of the panel
 * right after it tells anybody whether an address is known.
 */
export const sendLater = (scope: Scope, letter: () => Promise<Letter | undefined>): void => {
  const send = async () => {
    const written = await letter()
    if (!written) return
    const { accepted, detail } = await sendLetter(scope, written)
    if (!accepted) scope.log.warn({ detail }, 'an email was not accepted')
  }
  setTimeout(
    () => void send().catch(error => scope.log.error({ err: error }, 'could not send an email')),
    randomInt(SEND_AFTER_MS.from, SEND_AFTER_MS.to),
  )
}
