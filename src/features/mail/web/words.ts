import type { Tone } from '#web/kit/Status.tsx'
import type { DkimKey, RecordCheck } from '../domains/contract.ts'
import type { MailMessage } from '../messages/contract.ts'
import type { SetupCheck } from '../relay/contract.ts'

export const statusWords: Record<MailMessage['status'], { tone: Tone; word: string }> = {
  queued: { tone: 'busy', word: 'Queued' },
  sent: { tone: 'good', word: 'Delivered' },
  deferred: { tone: 'warning', word: 'Trying again' },
  bounced: { tone: 'bad', word: 'Bounced' },
  refused: { tone: 'bad', word: 'Refused' },
  dropped: { tone: 'idle', word: 'Dropped' },
}

export const verdictWords: Record<RecordCheck['verdict'], { tone: Tone; word: string }> = {
  ok: { tone: 'good', word: 'OK' },
  missing: { tone: 'warning', word: 'Missing' },
  wrong: { tone: 'bad', word: 'Wrong' },
  unknown: { tone: 'idle', word: 'Unknown' },
}

export const keyWords: Record<DkimKey['state'], { tone: Tone; word: string }> = {
  active: { tone: 'good', word: 'Signs' },
  next: { tone: 'warning', word: 'Waits for its record' },
  retired: { tone: 'idle', word: 'Retired' },
}

export const checkStates: Record<SetupCheck['verdict'], 'good' | 'bad' | 'waiting'> = {
  ok: 'good',
  missing: 'bad',
  wrong: 'bad',
  unknown: 'waiting',
}

export const TABS = [
  { label: 'Traffic', to: '/mail' },
  { label: 'Messages', to: '/mail/messages' },
  { label: 'Queue', to: '/mail/queue' },
  { label: 'Domains', to: '/mail/domains' },
  { label: 'Setup', to: '/mail/setup' },
] as const
