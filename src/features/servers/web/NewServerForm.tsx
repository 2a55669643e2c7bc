import { Button, Checkbox, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { Check, type Server, servers } from '#features/servers/contract.ts'
import type { Job } from '#platform/contract/job.ts'
import { Problem } from '#platform/contract/problem.ts'
import { watchJob } from '#web/client/watched-jobs.ts'
import { Card } from '#web/kit/Card.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Section } from '#web/kit/Section.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { type CheckItem, itemsOf } from './CheckList.tsx'
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
        ? new Problem('conflict', "Couldn't add the server. Review the failed checks, then try again.")
        : error
    }
  })
}

/** Where the machine is and what sites on it are called. */
export const NewServerForm = (props: NewServerFormProps) => {
  const { formProps, text, flag, values, isPending, problem, failures } = useNewServer(props)
  return (
    <Section title="2. Server details">
      <Card>
        <form {...formProps} className={classes.form}>
          <TextInput label="Name" description="For example, hel1-web-01." {...text('name')} />
          <div className={classes.pair}>
            <TextInput
              label="Address"
              placeholder="203.0.113.10"
              description="IP address or hostname."
              {...text('sshHost')}
            />
            <TextInput label="SSH port" inputMode="numeric" description="Usually 22." {...text('sshPort')} />
          </div>
          <TextInput label="SSH user" description="root, or a user with passwordless sudo." {...text('sshUser')} />
          <TextInput
            label="Default domain"
            placeholder="web1.example.com"
            description="New sites get a subdomain of it until they go live. Point *.web1.example.com to the server. Names under localhost need no DNS but only work on that machine."
            {...text('devDomain')}
          />
          <details className={classes.more}>
            <summary>Public address and certificates</summary>
            <div className={classes.form}>
              <TextInput
                label="Public IP address"
                description="DNS records should point to this address. Detected if left empty."
                {...text('publicIp')}
              />
              <TextInput
                label="Email for certificates"
                description="The certificate authority sends notices here. Leave empty to use the panel setting."
                {...text('acmeEmail')}
              />
            </div>
          </details>
          <Checkbox
            label="Set up now"
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
