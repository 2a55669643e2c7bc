import { newId } from '#platform/db/id.ts'
import { type AdminRow, normalEmail } from './admin-store.ts'

export const newAdmin = (person: {
  email: string
  name: string
  owner: boolean
  passwordHash: string | null
  now: number
}): AdminRow => ({
  id: newId(person.now),
  email: normalEmail(person.email),
  name: person.name,
  owner: person.owner ? 1 : null,
  password_hash: person.passwordHash,
  disabled: 0,
  preferences: '{}',
  totp_sealed: null,
  totp_pending_sealed: null,
  totp_last_step: 0,
  recovery_codes: '[]',
  created_at: person.now,
  last_login_at: null,
})
