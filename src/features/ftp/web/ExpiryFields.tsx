import { NativeSelect, TextInput } from '@mantine/core'
import type { useForm } from '#web/kit/use-form.ts'
import { EXPIRY_CHOICES, type ExpiryChoice } from './expiry-choices.ts'

export interface ExpiryValues {
  expires: ExpiryChoice
  day: string
}

type Form<V extends ExpiryValues> = ReturnType<typeof useForm<V>>

interface ExpiryFieldsProps {
  values: ExpiryValues
  error: string | undefined
  onChange: (values: Partial<ExpiryValues>) => void
}

/** Until when a login works. */
export const ExpiryFields = ({ values, error, onChange }: ExpiryFieldsProps) => (
  <>
    <NativeSelect
      label="Expires"
      description="Open connections end then, too."
      data={[...EXPIRY_CHOICES]}
      value={values.expires}
      error={values.expires === 'day' ? undefined : error}
      onChange={event => onChange({ expires: event.currentTarget.value as ExpiryChoice })}
    />
    {values.expires === 'day' && (
      <TextInput
        type="date"
        label="Last day"
        value={values.day}
        error={error}
        onChange={event => onChange({ day: event.currentTarget.value })}
      />
    )}
  </>
)

/** The fields as a form of any shape holds them. */
export const expiryPropsOf = <V extends ExpiryValues>(form: Form<V>): ExpiryFieldsProps => ({
  values: form.values,
  error: form.errorOf('expiresAt'),
  onChange: values => form.set(values as Partial<V>),
})
