import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { FormDialog } from '#web/kit/FormDialog.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { showToast } from '#web/kit/toasts.ts'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useForm } from '#web/kit/use-form.ts'
import { blocks } from '../contract.ts'
import { api } from './api.ts'
import { DURATIONS } from './words.ts'

interface DialogProps {
  onClose: () => void
}

/** Blocks an address everywhere, or for one site. */
export const BlockDialog = ({ onClose }: DialogProps) => {
  const queryClient = useQueryClient()
  const firstField = useFirstFocus()
  const initial = { address: '', minutes: '1440', note: '', siteSlug: '' }
  const form = useForm(initial, async ({ address, minutes, note, siteSlug }) => {
    const wanted = {
      address: address.trim(),
      minutes: minutes === '' ? null : Number(minutes),
      note: note.trim(),
      ...(siteSlug.trim() !== '' && { siteSlug: siteSlug.trim() }),
    }
    const block = await api.securityBlockCreate({ body: checked(blocks.securityBlockCreate.body, wanted) })
    await queryClient.invalidateQueries({ queryKey: ['blocks'] })
    showToast({ tone: 'good', text: `${block.address} blocked.` })
    onClose()
  })
  return (
    <FormDialog
      title="Block an address"
      verb="Block"
      isPending={form.isPending}
      formProps={form.formProps}
      onClose={onClose}
    >
      <TextInput
        ref={firstField}
        label="Address or range"
        placeholder="203.0.113.7 or 203.0.113.0/24"
        autoComplete="off"
        spellCheck={false}
        {...form.text('address')}
      />
      <NativeSelect label="For how long" data={[...DURATIONS]} {...form.text('minutes')} />
      <TextInput
        label="Only for one site"
        description="The short name of the site. Leave it empty to block the address on every server."
        autoComplete="off"
        {...form.text('siteSlug')}
      />
      <TextInput label="Note" description="Why, for your colleagues." autoComplete="off" {...form.text('note')} />
      <FormError key={form.failures} problem={form.problem} fields={['address', 'minutes', 'siteSlug', 'note']} />
    </FormDialog>
  )
}

/** Keeps an address from ever being blocked. */
export const NeverBlockDialog = ({ onClose }: DialogProps) => {
  const queryClient = useQueryClient()
  const firstField = useFirstFocus()
  const form = useForm({ address: '', note: '' }, async ({ address, note }) => {
    const wanted = { address: address.trim(), note: note.trim() }
    const entry = await api.securityNeverBlockCreate({ body: checked(blocks.securityNeverBlockCreate.body, wanted) })
    await queryClient.invalidateQueries({ queryKey: ['blocks'] })
    const lifted = entry.lifted === 0 ? '' : ' Blocks on it were lifted.'
    showToast({ tone: 'good', text: `${entry.address} is never blocked.${lifted}` })
    onClose()
  })
  return (
    <FormDialog
      title="Never block an address"
      verb="Add"
      isPending={form.isPending}
      formProps={form.formProps}
      onClose={onClose}
    >
      <TextInput
        ref={firstField}
        label="Address or range"
        description="Blocks on it are lifted."
        placeholder="203.0.113.7 or 203.0.113.0/24"
        autoComplete="off"
        spellCheck={false}
        {...form.text('address')}
      />
      <TextInput label="Note" description="Whose it is." autoComplete="off" {...form.text('note')} />
      <FormError key={form.failures} problem={form.problem} fields={['address', 'note']} />
    </FormDialog>
  )
}
