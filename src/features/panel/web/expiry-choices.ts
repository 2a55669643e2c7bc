const DAY_MS = 86_400_000

/** How long a new key may work; the first one is offered. */
export const EXPIRY_CHOICES = [
  { value: '90', label: 'In 90 days' },
  { value: '30', label: 'In 30 days' },
  { value: '365', label: 'In 1 year' },
  { value: 'never', label: 'Never' },
] as const

export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number]['value']

export const expiresAtOf = (choice: ExpiryChoice, now: number): number | null =>
  choice === 'never' ? null : now + Number(choice) * DAY_MS
