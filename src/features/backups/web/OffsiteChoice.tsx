import { Anchor, NativeSelect } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ActRow } from '#web/kit/ActRow.tsx'
import { Card } from '#web/kit/Card.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import { backupActions } from './can.ts'

const CHOICES = { settings: null, on: true, off: false } as const
type Choice = keyof typeof CHOICES

const OPTIONS = [
  { value: 'settings', label: 'As in Settings' },
  { value: 'on', label: 'Always' },
  { value: 'off', label: 'Never' },
]
const ABOUT: Record<Choice, string> = {
  settings: 'Backups are copied to every enabled destination if Settings say so.',
  on: 'Backups are copied to every enabled destination.',
  off: 'Switched off for this site. Copies that exist stay.',
}

const choiceOf = (choice: boolean | null): Choice => (choice === null ? 'settings' : choice ? 'on' : 'off')

/** Whether the backups of a site are copied elsewhere. */
export const OffsiteChoice = ({ site: { slug, title }, choice }: { site: Site; choice: boolean | null }) => {
  const queryClient = useQueryClient()
  const follow = useFollowJob()
  const { isOffered } = useCan(backupActions)('siteOffsiteSet')
  const change = useMutation({
    mutationFn: async (next: Choice) => {
      const { job } = await api.siteOffsiteSet({ params: { slug }, body: { enabled: CHOICES[next] } })
      await queryClient.invalidateQueries({ queryKey: ['backups'] })
      if (job) await follow(Promise.resolve({ job }))
      else showToast({ tone: 'good', text: `Offsite copies of ${title} changed.` })
    },
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    <Section
      title="Offsite copies"
      about={
        <>
          Destinations are set up in{' '}
          <Anchor component={Link} to="/offsite" size="sm" underline="always">
            Offsite copies
          </Anchor>
          .
        </>
      }
    >
      <Card flush>
        <ActRow title="Copy backups offsite" about={ABOUT[choiceOf(choice)]}>
          {isOffered && (
            <NativeSelect
              aria-label="Copy backups offsite"
              data={OPTIONS}
              value={choiceOf(choice)}
              disabled={change.isPending}
              onChange={event => change.mutate(event.currentTarget.value as Choice)}
            />
          )}
        </ActRow>
      </Card>
    </Section>
  )
}
