import type { Admin } from '#features/admins/contract.ts'
import type { Tone } from '#web/kit/Status.tsx'

export const adminStatus = ({ disabled, invited }: Admin): { tone: Tone; word: string } => {
  if (disabled) return { tone: 'bad', word: 'Locked' }
  return invited ? { tone: 'idle', word: 'Invited' } : { tone: 'good', word: 'Active' }
}

export const secondFactorStatus = ({ totp, invited }: Admin): { tone: Tone; word: string } => {
  if (invited) return { tone: 'idle', word: 'Not yet' }
  return totp ? { tone: 'good', word: 'On' } : { tone: 'warning', word: 'Off' }
}
