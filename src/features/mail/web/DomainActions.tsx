import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import type { DkimKey } from '../domains/contract.ts'
import { api } from './api.ts'
import { mailActions } from './can.ts'
import classes from './Mail.module.css'

interface OfDomain {
  domain: string
}

const useRefreshMail = () => {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['mail'] })
}

const CheckAgain = ({ domain }: OfDomain) => {
  const refresh = useRefreshMail()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.mailDomainCheck({ params: { domain } }),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
    onSettled: refresh,
  })
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
      Check again
    </Button>
  )
}

const Publish = ({ domain }: OfDomain) => {
  const refresh = useRefreshMail()
  const publish = async () => {
    const { published } = await api.mailDomainPublish({ params: { domain } })
    await refresh()
    const text =
      published.length === 0 ? 'There was nothing to publish.' : `${counted(published.length, 'record')} published.`
    showToast({ tone: 'good', text })
  }
  return (
    <ConfirmButton
      label="Publish records"
      ask={`publish-${domain}`}
      title={`Publish the records of ${domain}?`}
      verb="Publish records"
      effects={[
        'SPF: the addresses of your servers are added to the record that is there.',
        'DKIM: the record of the key is published. A key is created if there is none.',
        'DMARC is left alone: you decide which policy fits.',
      ]}
      act={publish}
    />
  )
}

const CreateKey = ({ domain }: OfDomain) => {
  const refresh = useRefreshMail()
  const create = async () => {
    await api.mailDkimCreate({ body: { domain } })
    await refresh()
  }
  return (
    <ConfirmButton
      label="Create DKIM key"
      ask={`key-${domain}`}
      title={`Create a DKIM key for ${domain}?`}
      verb="Create key"
      effects={[
        'Every server signs the mail of this domain from now on.',
        'Publish its record so that others can check it.',
      ]}
      act={create}
    />
  )
}

const RotateKey = ({ domain }: OfDomain) => {
  const refresh = useRefreshMail()
  const rotate = async () => {
    const { key } = await api.mailDkimCreate({ body: { domain, rotate: true } })
    await refresh()
    showToast({ tone: 'good', text: `${key.selector} created. Publish its record, then check again.` })
  }
  return (
    <ConfirmButton
      label="Rotate DKIM key"
      ask={`rotate-${domain}`}
      title={`Rotate the DKIM key of ${domain}?`}
      verb="Create next key"
      effects={[
        'The next key is created. The current one signs until the record of the next is in DNS.',
        'Keep the record of the current key for 7 days after that.',
      ]}
      act={rotate}
    />
  )
}

const DeleteKeys = ({ domain }: OfDomain) => {
  const refresh = useRefreshMail()
  const remove = async () => {
    await api.mailDkimDelete({ params: { domain } })
    await refresh()
    showToast({ tone: 'good', text: `DKIM keys of ${domain} deleted.` })
  }
  return (
    <ConfirmButton
      label="Delete DKIM keys"
      ask={`unsign-${domain}`}
      color="red"
      title={`Delete the DKIM keys of ${domain}?`}
      verb="Delete keys"
      effects={['Mail of this domain is no longer signed.', 'Records in DNS stay: remove them yourself.']}
      name={domain}
      act={remove}
    />
  )
}

/** What can be done with the records and keys of a domain. */
export const DomainActions = ({ domain, keys }: OfDomain & { keys: readonly DkimKey[] }) => {
  const can = useCan(mailActions)
  const has = (state: DkimKey['state']) => keys.some(key => key.state === state)
  const mayCreate = can('mailDkimCreate').isOffered
  return (
    <div className={classes.buttons}>
      {can('mailDomainCheck').isOffered && <CheckAgain domain={domain} />}
      {can('mailDomainPublish').isOffered && <Publish domain={domain} />}
      {mayCreate && !has('active') && <CreateKey domain={domain} />}
      {mayCreate && has('active') && !has('next') && <RotateKey domain={domain} />}
      {keys.length > 0 && can('mailDkimDelete').isOffered && <DeleteKeys domain={domain} />}
    </div>
  )
}
