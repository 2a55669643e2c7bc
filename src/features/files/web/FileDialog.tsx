import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Dialog } from '#web/kit/Dialog.tsx'
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
  const id = useId()
  const form = useForm({ value }, async values => {
    await act(values.value.trim())
    onClose()
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} loading={form.isPending} disabled={form.values.value.trim() === ''}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={id} {...form.formProps}>
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
      </form>
    </Dialog>
  )
}
