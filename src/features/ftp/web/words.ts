import type { Tone } from '#web/kit/Status.tsx'
import type { SiteFtp } from '../contract.ts'

export const statusWords: Record<SiteFtp['status'], { tone: Tone; word: string }> = {
  off: { tone: 'idle', word: 'Off' },
  starting: { tone: 'busy', word: 'Starting' },
  running: { tone: 'good', word: 'Running' },
  stopping: { tone: 'busy', word: 'Stopping' },
  failed: { tone: 'bad', word: "Couldn't start" },
  unreachable: { tone: 'bad', word: 'Server unreachable' },
}

/** What a person should know before they hand out a login; none when all is as shown. */
export const noteOf = ({ status, paused, applied, enabled }: SiteFtp): string | undefined => {
  if (!enabled) return undefined
  if (status === 'unreachable') return "The server doesn't respond. Changes apply when it is back."
  if (status === 'failed') return "The FTP service couldn't start. Fleetpress tries again every minute."
  if (status === 'starting') return 'The FTP service is starting. On a new server this takes a few minutes.'
  if (paused) return 'Logins are refused while the site is stopped or being moved.'
  return applied ? undefined : 'The latest change is being applied.'
}
