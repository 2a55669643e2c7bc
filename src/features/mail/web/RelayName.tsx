import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
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
import classes from './Mail.module.css'

interface RelayNameProps {
  serverId: number
  hostname: string
  publicIp: string | null
}

const NameDialog = ({ serverId, hostname, onClose }: Omit<RelayNameProps, 'publicIp'> & { onClose: () => void }) => {
  const queries = useQueryClient()
  const firstField = useFirstFocus()
  const params = { serverId }
  const form = useForm({ hostname }, async values => {
    const wanted = values.hostname.trim()
    const done =
      wanted === ''
        ? await api.mailHostnameReset({ params })
        : await api.mailHostnameSet({ params, body: checked(mail.mailHostnameSet.body, { hostname: wanted }) })
    await queries.invalidateQueries({ queryKey: ['mail'] })
    showToast({ tone: 'good', text: `The relay is now called ${done.hostname}.` })
    onClose()
  })
  return (
    <FormDialog
      title="Change the name of the relay"
      verb="Save"
      isPending={form.isPending}
      isIncomplete={!form.isDirty}
      formProps={form.formProps}
      onClose={onClose}
    >
      <TextInput
        ref={firstField}
        label="Hostname"
        description="Other mail servers see this name. Leave it empty for the default. Waiting messages stay."
        placeholder="mail.example.com"
        autoComplete="off"
        spellCheck={false}
        {...form.text('hostname')}
      />
      <FormError key={form.failures} problem={form.problem} fields={['hostname']} />
    </FormDialog>
  )
}

/** Changes what a relay calls itself, and publishes its A record. */
export const RelayName = ({ serverId, hostname, publicIp }: RelayNameProps) => {
  const can = useCan(mailActions)
  const url = useUrlState()
  const queries = useQueryClient()
  const ask = `relay-name-${serverId}`
  const publish = async () => {
    await api.mailHostnamePublish({ params: { serverId } })
    await queries.invalidateQueries({ queryKey: ['mail'] })
    showToast({ tone: 'good', text: `${hostname} points to ${publicIp}.` })
  }
  return (
    <div className={classes.buttons}>
      {can('mailHostnameSet').isOffered && (
        <Button variant="default" size="xs" onClick={() => url.push({ ask })}>
          Change name
        </Button>
      )}
      {can('mailHostnamePublish').isOffered && (
        <ConfirmButton
          label="Publish A record"
          ask={`relay-record-${serverId}`}
          title={`Point ${hostname} to this server?`}
          verb="Publish record"
          effects={[`An A record of ${hostname} with ${publicIp} is created.`, 'Records of others are left alone.']}
          {...(publicIp === null && { refusal: 'Set the public address of the server first.' })}
          act={publish}
        />
      )}
      {url.of('ask') === ask && <NameDialog {...{ serverId, hostname }} onClose={() => url.set({ ask: '' })} />}
    </div>
  )
}
