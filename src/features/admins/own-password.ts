import { Problem } from '#platform/contract/problem.ts'
import type { RequestScope } from '#platform/http/handlers.ts'
import { type AdminRow, findAdmin } from './admin-store.ts'
import { attempt, WRONG_CODES_ALLOWED, WRONG_PASSWORDS_ALLOWED } from './attempts.ts'
import { passwordFits } from './password.ts'
import { acceptTotpCode } from './totp.ts'

/** The person who calls. Endpoints that need one are marked `personOnly`, so a key never gets here. */
export const callingPerson = async (scope: RequestScope): Promise<AdminRow> => {
  const row = scope.actor.kind === 'person' ? await findAdmin(scope.db, scope.actor.id) : undefined
  if (!row) throw new Problem('unauthorized', 'Sign in again.')
  return row
}

export const currentSession = (scope: RequestScope): string =>
  scope.actor.kind === 'person' ? scope.actor.sessionId : ''

/** Asks for the caller's own password again before something that cannot be taken back. */
export const requireOwnPassword = async (scope: RequestScope, password: string): Promise<AdminRow> => {
  const person = await callingPerson(scope)
  await attempt(scope, `own-password:${person.id}`, WRONG_PASSWORDS_ALLOWED, async () => {
    if (!(await passwordFits(person.password_hash, password)))
      throw new Problem('forbidden', 'Wrong password. Nothing was changed.')
  })
  return person
}

/** What a person has to give to prove again who they are. */
export const proofOf = ({ totp_sealed }: AdminRow): 'code' | 'password' => (totp_sealed === null ? 'password' : 'code')

/** Asks the caller to prove again who they are: with a code where two-factor authentication is on, else with the password. */
export const requireProof = async (scope: RequestScope, proof: string): Promise<AdminRow> => {
  const person = await callingPerson(scope)
  if (proofOf(person) === 'password') return requireOwnPassword(scope, proof)
  await attempt(scope, `totp:${person.id}`, WRONG_CODES_ALLOWED, async () => {
    if (!(await acceptTotpCode(scope, person, person.totp_sealed, proof)))
      throw new Problem('forbidden', 'This code is wrong or was already used. Wait for the next one.')
  })
  return person
}
