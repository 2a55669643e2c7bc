import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { Check, type Server, servers } from '#features/servers/contract.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/ui/Card.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { Section } from '#web/ui/Section.tsx'
import { useForm } from '#web/ui/use-form.ts'
import { watchJob } from '#web/ui/watched-jobs.ts'
import { type CheckItem, itemsOf } from './CheckList.tsx'
import { DNS_CHOICES } from './dns-choices.ts'
import classes from './Form.module.css'

interface NewServerFormProps {
  onBegin: () => void
  /** Empty when the machine was not looked at. */
  onChecked: (items: CheckItem[]) => void
  onMade: (made: { server: Server; job: Job | null }) => void
}

const EMPTY = {
  name: '',
  sshHost: '',
  sshPort: '22',
  sshUser: 'root',
  devDomain: '',
  dnsProvider: 'none' as Server['dnsProvider'],
  publicIp: '',
  acmeEmail: '',
  provision: true,
}

const FIELDS = Object.keys(EMPTY)
const Refused = z.object({ checks: z.array(Check) })

/** What was found on a machine that was not added because of it. */
const checksIn = (error: unknown): CheckItem[] => {
  const refused = Refused.safeParse(error instanceof Problem ? error.details : undefined)
  return refused.success ? itemsOf(refused.data.checks) : []
}

const bodyOf = ({ publicIp, acmeEmail, ...values }: typeof EMPTY) => ({
  ...values,
  ...(publicIp !== '' && { publicIp }),
  ...(acmeEmail !== '' && { acmeEmail }),
})

const useNewServer = ({ onBegin, onChecked, onMade }: NewServerFormProps) => {
  const queryClient = useQueryClient()
  return useForm(EMPTY, async values => {
    const body = checked(servers.serverCreate.body, bodyOf(values))
    onBegin()
    try {
      const { server, job, checks } = await api.serverCreate({ body })
      onChecked(itemsOf(checks))
      if (job) watchJob(job.id)
      onMade({ server, job })
      void queryClient.invalidateQueries()
    } catch (error) {
      const items = checksIn(error)
      onChecked(items)
      throw items.length > 0
        ? new Problem('conflict', 'The server was not added: see what the checks found, then try again.')
        : error
    }
  })
}

/** Where the machine is and what sites on it are called. */
export const NewServerForm = (props: NewServerFormProps) => {
  const { formProps, text, flag, values, isPending, problem, failures } = useNewServer(props)
  return (
    <Section title="2. Say where it is">
      <Card>
        <form {...formProps} className={classes.form}>
          <TextInput label="Name" description="What you call it, such as hel1-web-01." {...text('name')} />
          <div className={classes.pair}>
            <TextInput
              label="Address"
              placeholder="203.0.113.10"
              description="IP address or name."
              {...text('sshHost')}
            />
            <TextInput label="SSH port" inputMode="numeric" description="Mostly 22." {...text('sshPort')} />
          </div>
          <TextInput
            label="SSH user"
            description="root, or an account that may use sudo without a password."
            {...text('sshUser')}
          />
          <TextInput
            label="Domain for new sites"
            placeholder="web1.example.com"
            description="New sites get a name below it before they go live. Let *.web1.example.com lead to the server; names below localhost need no DNS but work only on that machine."
            {...text('devDomain')}
          />
          <details className={classes.more}>
            <summary>Public address, DNS and certificates</summary>
            <div className={classes.form}>
              <TextInput
                label="Public IP address"
                description="What DNS records should lead to. Found out when left empty."
                {...text('publicIp')}
              />
              <TextInput
                label="E-mail for certificates"
                description="Where the certificate authority writes to. The panel’s own setting when left empty."
                {...text('acmeEmail')}
              />
              <NativeSelect label="DNS is kept at" data={DNS_CHOICES} {...text('dnsProvider')} />
            </div>
          </details>
          <Checkbox
            label="Set it up now"
            description="Installs Docker, the edge, the database and the firewall. Takes a few minutes."
            {...flag('provision')}
          />
          <FormError key={failures} problem={problem} fields={FIELDS} />
          <Button type="submit" loading={isPending} className={classes.submit ?? ''}>
            {values.provision ? 'Check and set up' : 'Check and add'}
          </Button>
        </form>
      </Card>
    </Section>
  )
}
