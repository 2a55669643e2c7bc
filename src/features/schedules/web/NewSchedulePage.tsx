import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { reaches } from '#platform/contract/level.ts'
import { useSession } from '#web/client/session.ts'
import { checked } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { schedules } from '../contract.ts'
import { api } from './api.ts'
import { planOf } from './plan.ts'
import { ScheduleForm, type ScheduleValues } from './ScheduleForm.tsx'
import { useActions } from './use-schedules.ts'

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Creates a schedule. */
export const NewSchedulePage = () => {
  const query = useActions()
  const { data: session } = useSession()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const create = async ({ name, action, timezone, targets, cron }: ScheduleValues & { cron: string }) => {
    const isAboutSites = query.data?.items.find(of => of.action === action)?.targets === 'sites'
    const wanted = { name: name.trim(), action, cron, timezone, ...(isAboutSites && { targets }) }
    const made = await api.scheduleCreate({ body: checked(schedules.scheduleCreate.body, wanted) })
    await queryClient.invalidateQueries({ queryKey: ['schedules'] })
    showToast({ tone: 'good', text: `${made.name} created.` })
    await navigate(`/schedules/${made.id}`)
  }
  return (
    <Page title="Create schedule" back={{ label: 'Schedules', to: '/schedules' }}>
      <Loaded query={query}>
        {({ items }) => {
          const actions = items.filter(({ custom, level }) => custom && reaches(session?.access ?? 'none', level))
          return (
            <ScheduleForm
              actions={actions}
              initial={{
                name: '',
                action: actions[0]?.action ?? '',
                timezone: ownZone(),
                plan: planOf('0 3 * * *'),
                targets: { all: true, servers: [], labels: [], sites: [] },
              }}
              verb="Create schedule"
              onSubmit={create}
            />
          )
        }}
      </Loaded>
    </Page>
  )
}
