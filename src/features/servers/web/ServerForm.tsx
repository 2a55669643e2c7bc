import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Server, servers } from '#features/servers/contract.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/ui/Card.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { SaveBar } from '#web/ui/SaveBar.tsx'
import { Section } from '#web/ui/Section.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { useForm } from '#web/ui/use-form.ts'
import { DNS_CHOICES } from './dns-choices.ts'
import classes from './Form.module.css'

/** A server as its form holds it. */
export const valuesOf = (server: Server) => ({
  name: server.name,
  sshHost: server.sshHost ?? '',
  sshPort: String(server.sshPort),
  sshUser: server.sshUser,
  publicIp: server.publicIp ?? '',
  devDomain: server.devDomain,
  dnsProvider: server.dnsProvider,
  acmeEmail: server.acmeEmail ?? '',
  backupRoot: server.backupRoot,
})

type Values = ReturnType<typeof valuesOf>

const CAN_BE_EMPTY: readonly string[] = ['publicIp', 'acmeEmail']

/** Only what was changed; an emptied field is unset. */
const changesOf = (server: Server, values: Values) => {
  const before: Record<string, string> = valuesOf(server)
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => value !== before[name])
      .map(([name, value]) => [name, value === '' && CAN_BE_EMPTY.includes(name) ? null : value]),
  )
}

const useServerForm = (server: Server) => {
  const queryClient = useQueryClient()
  return useForm(valuesOf(server), async values => {
    const body = checked(servers.serverUpdate.body, changesOf(server, values))
    const changed = await api.serverUpdate({ params: { id: server.id }, body })
    queryClient.setQueryData(['servers', server.id], changed)
    void queryClient.invalidateQueries({ queryKey: ['servers'] })
    showToast({ tone: 'good', text: `${changed.name} was changed.` })
  })
}

/** Name, address, and what sites on the server are called. */
export const ServerForm = ({ server }: { server: Server }) => {
  const form = useServerForm(server)
  const { text } = form
  return (
    <form {...form.formProps}>
      <Section title="Server">
        <Card>
          <div className={classes.form}>
            <TextInput label="Name" {...text('name')} />
            {!server.own && (
              <>
                <div className={classes.pair}>
                  <TextInput label="Address" description="Where the panel reaches it." {...text('sshHost')} />
                  <TextInput label="SSH port" inputMode="numeric" description="Mostly 22." {...text('sshPort')} />
                </div>
                <TextInput
                  label="SSH user"
                  description="root, or an account that may use sudo without a password."
                  {...text('sshUser')}
                />
              </>
            )}
            <TextInput
              label="Public IP address"
              description="What DNS records of its sites should lead to."
              {...text('publicIp')}
            />
            <TextInput
              label="Domain for new sites"
              description="New sites get a name below it. Sites that are there keep theirs."
              {...text('devDomain')}
            />
            <NativeSelect label="DNS is kept at" data={DNS_CHOICES} {...text('dnsProvider')} />
            <TextInput
              label="E-mail for certificates"
              description="Where the certificate authority writes to. The panel’s own setting when empty."
              {...text('acmeEmail')}
            />
            <TextInput
              label="Folder of the backups"
              description="Where they are already. Nothing is moved; to move them, use Storage."
              {...text('backupRoot')}
            />
            <FormError key={form.failures} problem={form.problem} fields={Object.keys(form.values)} />
          </div>
        </Card>
      </Section>
      <SaveBar isDirty={form.isDirty} isPending={form.isPending} onReset={form.reset} />
    </form>
  )
}
