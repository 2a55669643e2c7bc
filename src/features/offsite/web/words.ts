import { countText } from '#web/kit/counted.ts'
import type { Tone } from '#web/kit/Status.tsx'
import type { Destination, RETENTION_FIELDS } from '../contract.ts'
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

const LIMITS: readonly [(typeof RETENTION_FIELDS)[number], (limit: number) => string][] = [
  ['retentionCount', limit => `the newest ${limit}`],
  ['retentionDays', limit => `all of ${limit} days`],
  ['retentionDaily', limit => `${limit} daily`],
  ['retentionWeekly', limit => `${limit} weekly`],
  ['retentionMonthly', limit => `${limit} monthly`],
]

export const retentionWords = (destination: Destination): string => {
  const parts = LIMITS.flatMap(([name, inWords]) => {
    const limit = destination[name]
    return limit === null ? [] : inWords(limit)
  })
  return parts.length === 0 ? 'Everything' : `For each site: ${parts.join(', ')}`
}
