import { NativeSelect, TextInput } from '@mantine/core'
import { DAYS, type Plan, WEEKDAYS } from './plan.ts'

const EVERY = [
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every week' },
  { value: 'month', label: 'Every month' },
  { value: 'custom', label: 'Custom (cron)' },
]

interface PlanFieldsProps {
  plan: Plan
  error: string | undefined
  onChange: (plan: Plan) => void
}

/** When it runs: the usual plans by choice, any other as cron. */
export const PlanFields = ({ plan, error, onChange }: PlanFieldsProps) => {
  const set = (part: Partial<Plan>) => onChange({ ...plan, ...part })
  return (
    <>
      <NativeSelect
        label="Runs"
        data={EVERY}
        value={plan.every}
        onChange={event => set({ every: event.currentTarget.value as Plan['every'] })}
      />
      {plan.every === 'week' && (
        <NativeSelect
          label="On"
          data={WEEKDAYS.map((label, index) => ({ value: String(index), label }))}
          value={plan.weekday}
          onChange={event => set({ weekday: event.currentTarget.value })}
        />
      )}
      {plan.every === 'month' && (
        <NativeSelect
          label="On day"
          data={DAYS}
          value={plan.day}
          onChange={event => set({ day: event.currentTarget.value })}
        />
      )}
      {plan.every === 'custom' ? (
        <TextInput
          label="Cron"
          description="Minute, hour, day of the month, month, day of the week."
          placeholder="0 3 * * 1-5"
          value={plan.cron}
          error={error}
          onChange={event => set({ cron: event.currentTarget.value })}
        />
      ) : (
        <TextInput
          type="time"
          label={plan.every === 'hour' ? 'At minute (of the hour)' : 'At'}
          value={plan.time}
          error={error}
          onChange={event => event.currentTarget.value && set({ time: event.currentTarget.value })}
        />
      )}
    </>
  )
}
