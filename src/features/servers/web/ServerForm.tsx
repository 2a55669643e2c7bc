import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Server, servers } from '#features/servers/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { SaveBar } from '#web/kit/SaveBar.tsx'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import classes from './Form.module.css'

/** A server as its form holds it. */
export const valuesOf = (server: Server) => ({
  name: server.name,
  sshHost: server.sshHost ?? '',
  sshPort: String(server.sshPort),
  sshUser: server.sshUser,
  publicIp: server.publicIp ?? '',
  devDomain: server.devDomain,
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
    showToast({ tone: 'good', text: `${changed.name} saved.` })
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
                  <TextInput label="Address" description="The panel connects to this address." {...text('sshHost')} />
                  <TextInput label="SSH port" inputMode="numeric" description="Usually 22." {...text('sshPort')} />
                </div>
                <TextInput
                  label="SSH user"
                  description="root, or a user with passwordless sudo."
                  {...text('sshUser')}
                />
              </>
            )}
            <TextInput
              label="Public IP address"
              description="DNS records of its sites should point to this address."
              {...text('publicIp')}
            />
            <TextInput
              label="Default domain"
              description="New sites get a subdomain of it. Existing sites keep theirs."
              {...text('devDomain')}
            />
            <TextInput
              label="Email for certificates"
              description="The certificate authority sends notices here. Leave empty to use the panel setting."
              {...text('acmeEmail')}
            />
            <TextInput
              label="Backup folder"
              description="Where backups already are. Nothing is moved. To move them, use Storage."
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
