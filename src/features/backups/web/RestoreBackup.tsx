import { Checkbox, NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { Confirm } from '#web/kit/Confirm.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { type Backup, backups } from '../contract.ts'
import { api } from './api.ts'
import { linesOf, PARTS, type Part, partOf, restoreEffects } from './restore-parts.ts'

interface RestoreBackupProps {
  backup: Backup
  site: Site
  refusal: string | undefined
  onClose: () => void
  onStarted: () => void
}

/** Says what a restore replaces, and lets the person choose how much of it. */
export const RestoreBackup = ({ backup, site, refusal, onClose, onStarted }: RestoreBackupProps) => {
  const follow = useFollowJob()
  const timeZone = useTimeZone()
  const [part, setPart] = useState<Part>(site.missing ?? 'all')
  const [lines, setLines] = useState('')
  const [isSafe, setSafe] = useState(true)
  const { field, parts } = partOf(part)
  const isWhole = site.missing === null
  const at = minuteTime(backup.createdAt, timeZone)
  const restore = async () => {
    const body = checked(backups.backupRestore.body, {
      parts,
      skipSafetyCopy: !isSafe,
      ...(field && { [field]: linesOf(lines) }),
    })
    await follow(api.backupRestore({ params: { id: backup.id }, body }), { show: true })
    onStarted()
  }
  return (
    <Confirm
      title={`Restore ${site.title} to ${at}?`}
      verb="Restore backup"
      refusal={refusal}
      effects={restoreEffects({ part, isSafe, site })}
      act={restore}
      onClose={onClose}
    >
      {isWhole && (
        <NativeSelect
          label="What to restore"
          value={part}
          onChange={event => setPart(event.currentTarget.value as Part)}
          data={PARTS.map(({ value, label }) => ({ value, label }))}
        />
      )}
      {field && (
        <Textarea
          label={field === 'paths' ? 'Files and folders, one per line' : 'Tables, one per line'}
          placeholder={field === 'paths' ? 'wp-content/uploads/2026' : 'wp_posts'}
          rows={3}
          spellCheck={false}
          required
          value={lines}
          onChange={event => setLines(event.currentTarget.value)}
        />
      )}
      {isWhole && (
        <Checkbox
          label="Back up the current state first"
          checked={isSafe}
          onChange={event => setSafe(event.currentTarget.checked)}
        />
      )}
    </Confirm>
  )
}
