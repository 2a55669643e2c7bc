import type { Tone } from '#web/kit/Status.tsx'
import type { Backup, SiteStanding } from '../contract.ts'

export const typeWords: Record<Backup['type'], string> = {
  manual: 'Manual',
  scheduled: 'Scheduled',
  pre_update: 'Before an update',
  pre_restore: 'Before a restore',
  final: 'Before deletion',
}

export const standingWords: Record<SiteStanding['standing'], { tone: Tone; word: string }> = {
  good: { tone: 'good', word: 'Backed up' },
  new: { tone: 'idle', word: 'New' },
  stale: { tone: 'warning', word: 'No recent backup' },
  failed: { tone: 'bad', word: 'Failed' },
  off: { tone: 'idle', word: 'Not scheduled' },
  deleted: { tone: 'idle', word: 'Site deleted' },
}
