import { countText } from '#web/kit/counted.ts'
import type { Tone } from '#web/kit/Status.tsx'
import type { Destination } from '../contract.ts'
import type { Provider } from '../providers/contract.ts'

export const providerWords: Record<Provider, string> = {
  s3: 'S3-compatible storage',
  b2: 'Backblaze B2',
  sftp: 'SFTP',
  webdav: 'WebDAV',
  local: 'Mounted disk',
}

export const standingOf = ({ deleting, enabled, lastError, copies }: Destination): { tone: Tone; word: string } => {
  if (deleting) return { tone: 'busy', word: 'Deleting' }
  if (!enabled) return { tone: 'idle', word: 'Disabled' }
  if (lastError !== null) return { tone: 'bad', word: 'Failing' }
  if (copies.copying > 0) return { tone: 'busy', word: 'Copying' }
  return copies.good > 0 ? { tone: 'good', word: 'OK' } : { tone: 'idle', word: 'No copies yet' }
}

export const copiesText = (count: number): string => (count === 1 ? '1 copy' : `${countText(count)} copies`)

/** Where it is, in one line. */
export const placeOf = ({ provider, config }: Destination): string => {
  const at = (name: string) => (config[name] === undefined ? '' : String(config[name]))
  const path = at('path')
  const inFolder = path === '' ? '' : `/${path.replace(/^\//, '')}`
  if (provider === 'local') return path
  if (provider === 'sftp') return `${at('user')}@${at('host')}${inFolder}`
  if (provider === 'webdav') return `${at('url')}${inFolder}`
  return `${at('bucket')}${inFolder}`
}

const LIMITS: readonly [keyof Destination, string][] = [
  ['retentionCount', 'the newest'],
  ['retentionDays', 'days'],
  ['retentionDaily', 'daily'],
  ['retentionWeekly', 'weekly'],
  ['retentionMonthly', 'monthly'],
]

export const retentionWords = (destination: Destination): string => {
  const parts = LIMITS.flatMap(([name, word]) => {
    const limit = destination[name]
    if (limit === null) return []
    return name === 'retentionCount'
      ? `${word} ${limit}`
      : name === 'retentionDays'
        ? `all of ${limit} ${word}`
        : `${limit} ${word}`
  })
  return parts.length === 0 ? 'Everything' : `For each site: ${parts.join(', ')}`
}
