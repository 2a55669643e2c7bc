import { Anchor, Checkbox } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { ActRow } from '#web/kit/ActRow.tsx'
import { Card } from '#web/kit/Card.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Section } from '#web/kit/Section.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import { backupActions } from './can.ts'
import { useNextBackup } from './use-backups.ts'

const useSwitch = ({ slug, title }: Site) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (isOn: boolean) => {
      await api.siteBackupsSet({ params: { slug }, body: { enabled: isOn ? null : false } })
      await queryClient.invalidateQueries({ queryKey: ['backups'] })
      showToast({ tone: 'good', text: `Scheduled backups of ${title} are ${isOn ? 'on' : 'off'}.` })
    },
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
}

/** Whether and when a site is backed up by itself. */
export const ScheduledBackups = ({ site, isOn }: { site: Site; isOn: boolean }) => {
  const change = useSwitch(site)
  const timeZone = useTimeZone()
  const next = useNextBackup(site)
  const { isOffered } = useCan(backupActions)('siteBackupsSet')
  const at = next.data === undefined ? 'No schedule includes this site.' : `Next: ${minuteTime(next.data, timeZone)}.`
  return (
    <Section
      title="Schedule"
      about={
        <>
          When backups run is set in{' '}
          <Anchor component={Link} to="/schedules" size="sm" underline="always">
            Schedules
          </Anchor>
          , how long they are kept in{' '}
          <Anchor component={Link} to="/settings" size="sm" underline="always">
            Settings
          </Anchor>
          .
        </>
      }
    >
      <Card flush>
        <ActRow title="Scheduled backups" about={isOn ? (next.isPending ? '…' : at) : 'Switched off for this site.'}>
          {isOffered && (
            <Checkbox
              label="Back up on schedule"
              checked={isOn}
              disabled={change.isPending}
              onChange={event => change.mutate(event.currentTarget.checked)}
            />
          )}
        </ActRow>
      </Card>
    </Section>
  )
}
