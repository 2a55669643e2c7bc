import { startOfDay } from '#web/kit/days.ts'

const DAY_MS = 86_400_000

/** How long a new login works; the first one is offered. */
export const EXPIRY_CHOICES = [
  { value: '7', label: 'In 7 days' },
  { value: '1', label: 'In 1 day' },
  { value: '30', label: 'In 30 days' },
  { value: 'day', label: 'At the end of a day…' },
  { value: 'never', label: 'Never' },
] as const
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number]['value']

/** Undefined for a day that is not chosen yet. */
export const expiresAtOf = (choice: ExpiryChoice, day: string, now: number): number | null | undefined => {
  if (choice === 'never') return null
  if (choice === 'day') return day === '' ? undefined : Number(startOfDay(day, 1))
  return now + Number(choice) * DAY_MS
}
