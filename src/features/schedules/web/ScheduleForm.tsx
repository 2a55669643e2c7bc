import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { z } from 'zod'
import { Card } from '#web/kit/Card.tsx'
import { FieldGrid } from '#web/kit/FieldGrid.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { useForm } from '#web/kit/use-form.ts'
import type { ScheduleTargets, schedules } from '../contract.ts'
import { PlanFields } from './PlanFields.tsx'
import { cronOf, type Plan } from './plan.ts'
import classes from './ScheduleForm.module.css'
import { kindOf, TargetsField } from './TargetsField.tsx'
import { cronInWords } from './words.ts'

type Action = z.output<(typeof schedules)['scheduleActionList']['reply']>['items'][number]

export interface ScheduleValues {
  name: string
  action: string
  timezone: string
  plan: Plan
  targets: ScheduleTargets
}

interface ScheduleFormProps {
  initial: ScheduleValues
  /** Those to choose from; one when it cannot be changed any more. */
  actions: readonly Action[]
  /** What is built in keeps its name and its sites. */
  planOnly?: boolean
  verb: string
  onSubmit: (values: ScheduleValues & { cron: string }) => Promise<void>
}

const ZONES = Intl.supportedValuesOf('timeZone')

export const ScheduleForm = ({ initial, actions, planOnly = false, verb, onSubmit }: ScheduleFormProps) => {
  const form = useForm(initial, values => onSubmit({ ...values, cron: cronOf(values.plan) }))
  const [kind, setKind] = useState(kindOf(initial.targets))
  const { plan, timezone, action } = form.values
  const isAboutSites = actions.find(candidate => candidate.action === action)?.targets === 'sites'
  return (
    <form className={classes.form} {...form.formProps}>
      <Card>
        <FieldGrid>
          {!planOnly && (
            <>
              <TextInput label="Name" placeholder="Restart the shops" autoComplete="off" {...form.text('name')} />
              <NativeSelect
                label="Action"
                disabled={actions.length === 1}
                data={actions.map(({ action: value, label }) => ({ value, label }))}
                {...form.text('action')}
              />
            </>
          )}
          {isAboutSites && !planOnly && (
            <TargetsField
              kind={kind}
              targets={form.values.targets}
              error={form.errorOf('targets')}
              onChange={(next, targets) => {
                setKind(next)
                form.set({ targets })
              }}
            />
          )}
          <PlanFields plan={plan} error={form.errorOf('cron')} onChange={next => form.set({ plan: next })} />
          <NativeSelect
            label="Time zone"
            data={ZONES.includes(timezone) ? ZONES : [timezone, ...ZONES]}
            {...form.text('timezone')}
          />
        </FieldGrid>
      </Card>
      <p className={classes.words}>{cronInWords(cronOf(plan))}</p>
      <FormError
        key={form.failures}
        problem={form.problem}
        fields={['name', 'action', 'targets', 'cron', 'timezone']}
      />
      <div>
        <Button type="submit" loading={form.isPending}>
          {verb}
        </Button>
      </div>
    </form>
  )
}
