import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { checked } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { ScheduleTargets, schedules } from '../contract.ts'
import { api } from './api.ts'
import { planOf } from './plan.ts'
import { ScheduleForm, type ScheduleValues } from './ScheduleForm.tsx'
import { useActions, useSchedule } from './use-schedules.ts'

/** Changes a schedule. */
export const EditSchedulePage = () => {
  const { id = '' } = useParams()
  const query = useSchedule(id)
  const actions = useActions()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const save = async ({ name, timezone, targets, cron }: ScheduleValues & { cron: string }) => {
    const isCustom = query.data?.builtIn === false
    const wanted = {
      cron,
      timezone,
      ...(isCustom && { name: name.trim() }),
      ...(isCustom && query.data?.targets && { targets }),
    }
    await api.scheduleUpdate({ params: { id }, body: checked(schedules.scheduleUpdate.body, wanted) })
    await queryClient.invalidateQueries({ queryKey: ['schedules'] })
    showToast({ tone: 'good', text: 'Schedule saved.' })
    await navigate(`/schedules/${id}`)
  }
  return (
    <Page title="Edit schedule" back={{ label: query.data?.name ?? 'Schedule', to: `/schedules/${id}` }}>
      <Loaded query={query}>
        {({ name, action, timezone, cron, targets, builtIn }) => (
          <Loaded query={actions}>
            {({ items }) => (
              <ScheduleForm
                actions={items.filter(candidate => candidate.action === action)}
                planOnly={builtIn}
                initial={{ name, action, timezone, plan: planOf(cron), targets: targets ?? ScheduleTargets.parse({}) }}
                verb="Save"
                onSubmit={save}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
