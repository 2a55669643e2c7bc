import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { Choice } from '#web/kit/Choice.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { SaveBar } from '#web/kit/SaveBar.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { LEVELS, type Level, type Overrides, protection, type SiteSecurity } from '../contract.ts'
import { api } from './api.ts'
import { protectionActions } from './can.ts'
import type { EditedRule } from './edited-rule.ts'
import { LevelTable } from './LevelTable.tsx'
import type { Part } from './overrides.ts'
import classes from './Protection.module.css'
import { RefusedRequests } from './RefusedRequests.tsx'
import { RulesEditor } from './RulesEditor.tsx'
import { protectionKey, useProtection } from './use-protection.ts'
import { levelWords, partWords } from './words.ts'

interface Values {
  level: Level | null
  overrides: Overrides
  customRules: EditedRule[]
}

const PARTS = Object.keys(partWords) as Part[]

const valuesOf = ({ level, overrides, customRules }: SiteSecurity): Values => ({ level, overrides, customRules })

const LevelChoice = ({
  values,
  fleet,
  onChange,
}: {
  values: Values
  fleet: Level
  onChange: (level: Level | null) => void
}) => (
  <Section title="Level" about="Changes take effect within seconds, without interrupting visitors.">
    <div className={classes.line}>
      <Choice
        label="Level"
        options={[
          { value: 'fleet', word: `Fleet default (${levelWords[fleet].word})` },
          ...LEVELS.map(value => ({ value, word: levelWords[value].word })),
        ]}
        value={values.level ?? 'fleet'}
        onChange={value => onChange(value === 'fleet' ? null : value)}
      />
    </div>
    {(values.level ?? fleet) === 'off' && (
      <Alert color="gray" variant="light" p="sm" icon={<IconInfoCircle aria-hidden="true" />}>
        Nothing is refused or limited. Changed rows and custom rules have no effect until you select another level.
      </Alert>
    )}
  </Section>
)

const ProtectionForm = ({ security, mayChange }: { security: SiteSecurity; mayChange: boolean }) => {
  const queryClient = useQueryClient()
  const { slug, defaultLevel } = security
  const form = useForm<Values>(valuesOf(security), async values => {
    const body = checked(protection.siteSecurityUpdate.body, values)
    const saved = await api.siteSecurityUpdate({ params: { slug }, body })
    queryClient.setQueryData(protectionKey(slug), saved)
    showToast({ tone: 'good', text: 'Saved. The new protection is in effect.' })
  })
  const { level, overrides, customRules } = form.values
  return (
    <form {...form.formProps}>
      <fieldset className={classes.fields} disabled={!mayChange}>
        <LevelChoice values={form.values} fleet={defaultLevel} onChange={next => form.set({ level: next })} />
        {PARTS.map(part => (
          <LevelTable
            key={part}
            {...{ part, overrides }}
            level={level ?? defaultLevel}
            onChange={next => form.set({ overrides: next })}
          />
        ))}
        <RulesEditor
          slug={slug}
          rules={customRules}
          errorOf={form.errorOf}
          onChange={next => form.set({ customRules: next })}
        />
        <FormError key={form.failures} problem={form.problem} />
      </fieldset>
      <SaveBar isDirty={form.isDirty} isPending={form.isPending} onReset={form.reset} />
    </form>
  )
}

/** What a site refuses: its level, what differs from it, rules of its own, and what was refused. */
export const ProtectionTab = ({ site: { slug } }: { site: Site }) => {
  const query = useProtection(slug)
  const { isAllowed } = useCan(protectionActions)('siteSecurityUpdate')
  return (
    <Loaded query={query} skeleton={<Skeleton rows={8} />}>
      {security => (
        <>
          <ProtectionForm key={String(security.changedAt)} security={security} mayChange={isAllowed} />
          <RefusedRequests slug={slug} customRules={security.customRules} />
        </>
      )}
    </Loaded>
  )
}
