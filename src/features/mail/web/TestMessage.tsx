import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCan } from '#web/client/can.ts'
import { FormDialog } from '#web/kit/FormDialog.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { showToast } from '#web/kit/toasts.ts'
import { useFirstFocus } from '#web/kit/use-first-focus.ts'
import { useForm } from '#web/kit/use-form.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { mail } from '../contract.ts'
import { api } from './api.ts'
import { mailActions } from './can.ts'

interface TestMessageProps {
  servers: readonly { serverId: number; name: string }[]
}

const ASK = 'test-message'
const FIELDS = ['from', 'to', 'serverId']

const TestForm = ({ servers, onClose }: TestMessageProps & { onClose: () => void }) => {
  const queries = useQueryClient()
  const firstField = useFirstFocus()
  const form = useForm({ from: '', to: '', serverId: '' }, async ({ from, to, serverId }) => {
    const wanted = { from: from.trim(), to: to.trim(), ...(serverId !== '' && { serverId: Number(serverId) }) }
    const { accepted, detail } = await api.mailTest({ body: checked(mail.mailTest.body, wanted) })
    await queries.invalidateQueries({ queryKey: ['mail'] })
    showToast({ tone: accepted ? 'good' : 'bad', text: detail })
    if (accepted) onClose()
  })
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false }
  return (
    <FormDialog title="Send a test message" verb="Send" onClose={onClose} {...form}>
      <TextInput
        ref={firstField}
        label="From"
        description="At a domain of a site, or at the name of a relay."
        placeholder="info@example.com"
        {...plain}
        {...form.text('from')}
      />
      <TextInput label="To" placeholder="you@example.com" {...plain} {...form.text('to')} />
      <NativeSelect
        label="Server"
        data={[
          { value: '', label: 'The one that has the domain' },
          ...servers.map(({ serverId, name }) => ({ value: String(serverId), label: name })),
        ]}
        {...form.text('serverId')}
      />
      <FormError key={form.failures} problem={form.problem} fields={FIELDS} />
    </FormDialog>
  )
}

/** Sends a message through a relay without WordPress. */
export const TestMessage = ({ servers }: TestMessageProps) => {
  const can = useCan(mailActions)
  const url = useUrlState()
  if (!can('mailTest').isOffered) return null
  return (
    <>
      <Button variant="default" size="xs" onClick={() => url.push({ ask: ASK })}>
        Send test message
      </Button>
      {url.of('ask') === ASK && <TestForm servers={servers} onClose={() => url.set({ ask: '' })} />}
    </>
  )
}
