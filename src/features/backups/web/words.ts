import type { Tone } from '#web/kit/Status.tsx'
import type { Backup, BackupCopy, SiteStanding } from '../contract.ts'

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

export const copyWords: Record<BackupCopy['status'], { tone: Tone; word: string }> = {
  copying: { tone: 'busy', word: 'Copying' },
  good: { tone: 'good', word: 'Good' },
  failed: { tone: 'bad', word: 'Failed' },
  damaged: { tone: 'bad', word: 'Damaged' },
}

/** How the copies of a backup stand together; the worst comes first. */
export const offsiteOf = ({ copies }: Backup): { tone: Tone; word: string } => {
  const has = (status: BackupCopy['status']) => copies.some(copy => copy.status === status)
  if (has('damaged')) return copyWords.damaged
  if (has('failed')) return copyWords.failed
  if (has('copying')) return copyWords.copying
  return copies.length === 0
    ? { tone: 'idle', word: 'None' }
    : { tone: 'good', word: copies.length === 1 ? '1 copy' : `${copies.length} copies` }
}
