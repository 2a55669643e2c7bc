import type { Tone } from '#web/kit/Status.tsx'
import type { Decision, Firewall, Reason, SecurityBlock, SecurityCheck } from '../contract.ts'

interface Word {
  tone: Tone
  word: string
}

export const REASON_WORDS: Record<Reason, string> = {
  'failed-logins': 'Failed logins',
  xmlrpc: 'XML-RPC guessing',
  probing: 'Probing for files',
  refused: 'Refused requests',
}

export const BLOCK_WORDS: Record<SecurityBlock['state'], Word> = {
  active: { tone: 'bad', word: 'Blocked' },
  expired: { tone: 'idle', word: 'Expired' },
  lifted: { tone: 'idle', word: 'Lifted' },
}

export const VERDICT_WORDS: Record<SecurityCheck['verdict'], Word> = {
  blocked: { tone: 'bad', word: 'Blocked' },
  blocked_for_sites: { tone: 'warning', word: 'Blocked for some sites' },
  never_blocked: { tone: 'good', word: 'Never blocked' },
  allowed: { tone: 'good', word: 'Not blocked' },
}

export const FIREWALL_WORDS: Record<Firewall['state'], Word> = {
  network: { tone: 'good', word: 'Firewall loaded' },
  http_only: { tone: 'warning', word: 'Edge only' },
  off: { tone: 'bad', word: 'Off' },
  not_installed: { tone: 'idle', word: 'Not set up' },
}

export const OUTCOME_WORDS: Record<Decision['outcome'], Word> = {
  blocked: { tone: 'bad', word: 'Blocked' },
  watched: { tone: 'warning', word: 'Only watched' },
  spared: { tone: 'idle', word: 'Not blocked' },
}

/** How long a block can be, as a person chooses it; empty until lifted. */
export const DURATIONS = [
  { value: '60', label: '1 hour' },
  { value: '1440', label: '1 day' },
  { value: '10080', label: '1 week' },
  { value: '43200', label: '30 days' },
  { value: '', label: 'Until lifted' },
] as const
