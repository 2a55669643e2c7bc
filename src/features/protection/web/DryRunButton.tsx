import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { checked } from '#web/kit/field-errors.ts'
import { toProblem } from '#web/kit/problem.ts'
import { type DryRun, protection } from '../contract.ts'
import { api } from './api.ts'
import type { EditedRule } from './edited-rule.ts'
import classes from './Protection.module.css'

const number = (value: number): string => value.toLocaleString('en')

const resultText = ({ requests, refused, allowed, isComplete, isLogged }: DryRun): string =>
  [
    `Would have refused ${number(refused)} and allowed ${number(allowed)} of ${number(requests)} requests of the last day.`,
    !isLogged && 'Headers and cookies are not logged, and count as not sent.',
    !isComplete && 'The log is too long to be read to its end.',
  ]
    .filter(text => text !== false)
    .join(' ')

/** What the rules, as they are in the form, would have done. */
export const DryRunButton = ({ slug, rules }: { slug: string; rules: EditedRule[] }) => {
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async () => {
      const body = checked(protection.siteSecurityDryRun.body, { customRules: rules })
      return api.siteSecurityDryRun({ params: { slug }, body })
    },
  })
  return (
    <div className={classes.line}>
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
        Try on the last day
      </Button>
      <output>{error ? toProblem(error).message : data && resultText(data)}</output>
    </div>
  )
}
