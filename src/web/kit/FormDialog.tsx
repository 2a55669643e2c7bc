import { Button, Stack } from '@mantine/core'
import { type FormHTMLAttributes, type ReactNode, useId } from 'react'
import { Dialog } from '#web/kit/Dialog.tsx'

interface FormDialogProps {
  title: string
  /** What the button says. */
  verb: string
  isPending: boolean
  formProps: FormHTMLAttributes<HTMLFormElement>
  onClose: () => void
  children: ReactNode
}

/** A small form in front of the page. */
export const FormDialog = ({ title, verb, isPending, formProps, onClose, children }: FormDialogProps) => {
  const id = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} loading={isPending}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={id} {...formProps}>
        <Stack gap="md">{children}</Stack>
      </form>
    </Dialog>
  )
}
