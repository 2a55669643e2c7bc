import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormDialog } from '#web/kit/FormDialog.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { useForm } from '#web/kit/use-form.ts'

interface FileDialogProps {
  title: string
  label: string
  about?: string
  value: string
  verb: string
  act: (value: string) => Promise<unknown>
  onClose: () => void
  children?: ReactNode
}

/** One text that an act needs: a name, a path or a mode. */
export const FileDialog = ({ title, label, about, value, verb, act, onClose, children }: FileDialogProps) => {
  const form = useForm({ value }, async values => {
    await act(values.value.trim())
    onClose()
  })
  return (
    <FormDialog
      {...{ title, verb, onClose }}
      isPending={form.isPending}
      isIncomplete={form.values.value.trim() === ''}
      formProps={form.formProps}
    >
      <TextInput
        label={label}
        description={about}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-retry
        {...form.text('value')}
      />
      {children}
      <FormError key={form.failures} problem={form.problem} />
    </FormDialog>
  )
}
