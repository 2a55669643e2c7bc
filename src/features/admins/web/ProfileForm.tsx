import { NativeSelect, TextInput } from '@mantine/core'
import { type Admin, admins } from '#features/admins/contract.ts'
import { useReplaceAccount } from '#web/client/session.ts'
import { Card } from '#web/kit/Card.tsx'
import { FieldGrid } from '#web/kit/FieldGrid.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { SaveBar } from '#web/kit/SaveBar.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Chosen once, a zone can be changed but not taken back: only then the browser's stands above the others. */
const zonesFor = (stored: string) => [
  ...(stored === '' ? [{ value: '', label: `Same as this browser (${ownZone})` }] : []),
  ...[...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(stored === '' ? [] : [stored])])].map(zone => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  })),
]

/** Name and time zone of the person. */
export const ProfileForm = ({ admin }: { admin: Admin }) => {
  const replaceAccount = useReplaceAccount()
  const stored = admin.preferences.timeZone ?? ''
  const form = useForm({ name: admin.name, timeZone: stored }, async ({ name, timeZone }) => {
    const preferences = timeZone === '' ? {} : { timeZone }
    const answer = await api.accountUpdate({
      body: checked(admins.accountUpdate.body, { name: name.trim(), preferences }),
    })
    replaceAccount(answer.admin)
    showToast({ tone: 'good', text: 'Account saved.' })
  })
  return (
    <form {...form.formProps}>
      <Card>
        <FieldGrid>
          <TextInput
            label="Name"
            description="Shown to others in jobs and lists."
            autoComplete="name"
            {...form.text('name')}
          />
          <NativeSelect
            label="Time zone"
            description="Times are shown in this zone."
            data={zonesFor(stored)}
            {...form.text('timeZone')}
          />
        </FieldGrid>
        <FormError key={form.failures} problem={form.problem} fields={['name']} />
      </Card>
      <SaveBar isDirty={form.isDirty} isPending={form.isPending} onReset={form.reset} />
    </form>
  )
}
