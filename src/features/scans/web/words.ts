import type { Tone } from '#web/kit/Status.tsx'
import type { Finding, QuarantineItem, SiteScan } from '../contract.ts'

export const severityWords: Record<Finding['severity'], { tone: Tone; word: string }> = {
  confirmed: { tone: 'bad', word: 'Malware' },
  suspicious: { tone: 'warning', word: 'Suspicious' },
  notice: { tone: 'idle', word: 'Notice' },
}

export const statusWords: Record<Finding['status'], string> = {
  open: 'Open',
  ignored: 'Ignored',
  resolved: 'Resolved',
  quarantined: 'In quarantine',
}

export const kindWords: Record<Finding['kind'], string> = {
  malware: 'Found by a rule',
  changed: 'Changed file',
  unknown: 'Unknown file',
  panel: 'File of the panel',
  new: 'New file',
}

export const itemWords: Record<QuarantineItem['status'], { tone: Tone; word: string }> = {
  kept: { tone: 'warning', word: 'In quarantine' },
  restored: { tone: 'idle', word: 'Restored' },
  deleted: { tone: 'idle', word: 'Deleted' },
}

export const onFindingWords: Record<SiteScan['effective']['onFinding'], string> = {
  report: 'Only report',
  'quarantine-confirmed': 'Quarantine confirmed malware',
  'quarantine-all': 'Quarantine suspicious files, too',
}
