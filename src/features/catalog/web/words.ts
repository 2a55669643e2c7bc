import type { Tone } from '#web/kit/Status.tsx'
import type { CatalogPlugin, ZipCheck } from '../contract.ts'

const WORDS: Record<ZipCheck['status'], { word: string; tone: Tone }> = {
  pending: { word: 'Not checked', tone: 'idle' },
  clean: { word: 'Clean', tone: 'good' },
  unscanned: { word: 'Not scanned', tone: 'warning' },
  flagged: { word: 'Needs review', tone: 'bad' },
  failed: { word: 'Failed', tone: 'bad' },
}

/** How the check of a zip stands. */
export const checkInWords = ({ checking, status, reviewed }: ZipCheck): { word: string; tone: Tone } => {
  if (checking) return { word: 'Checking', tone: 'busy' }
  return reviewed ? { word: 'Reviewed', tone: 'good' } : WORDS[status]
}

export const statusInWords = (status: ZipCheck['status']) => WORDS[status]

export const sourceOf = ({ kind, version, versions }: CatalogPlugin): string => {
  if (kind === 'wporg') return 'WordPress.org'
  return version === null ? `Zip, ${versions[0]?.version ?? ''} waits for its check` : `Zip, ${version}`
}
