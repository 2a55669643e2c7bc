import type { Tone } from '#web/kit/Status.tsx'
import type { SiteLicense } from '../contract.ts'

export const LICENSE_WORDS: Record<SiteLicense['status'], { word: string; tone: Tone }> = {
  'not-applied': { word: 'Not applied', tone: 'idle' },
  valid: { word: 'Valid', tone: 'good' },
  invalid: { word: 'Invalid', tone: 'bad' },
  expired: { word: 'Expired', tone: 'bad' },
  unknown: { word: 'Unknown', tone: 'warning' },
}
