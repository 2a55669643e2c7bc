import { Button } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCan } from '#web/client/can.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { showToast } from '#web/kit/toasts.ts'
import type { MailDomain } from '../domains/contract.ts'
import { api } from './api.ts'
import { mailActions } from './can.ts'
import { DomainRecords } from './DomainRecords.tsx'
import classes from './Mail.module.css'
import { useMailDomains } from './use-mail.ts'
import { TABS } from './words.ts'

const CheckAgain = ({ domain }: { domain: string }) => {
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.mailDomainCheck({ params: { domain }, body: {} }),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['mail'] }),
  })
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
      Check again
    </Button>
  )
}

const Publish = ({ domain }: { domain: string }) => {
  const queries = useQueryClient()
  const publish = async () => {
    await api.mailDomainPublish({ params: { domain }, body: {} })
    await queries.invalidateQueries({ queryKey: ['mail'] })
  }
  return (
    <ConfirmButton
      label="Publish records…"
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

const CreateKey = ({ domain }: { domain: string }) => {
  const queries = useQueryClient()
  const create = async () => {
    await api.mailDkimCreate({ body: { domain } })
    await queries.invalidateQueries({ queryKey: ['mail'] })
  }
  return (
    <ConfirmButton
      label="Create DKIM key…"
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

const DomainSection = ({ domain }: { domain: MailDomain }) => {
  const can = useCan(mailActions)
  const hasKey = domain.dkim.record !== null || domain.dkim.verdict !== 'missing'
  return (
    <Section
      title={domain.domain}
      about={domain.siteSlugs.length > 0 ? `Sent by ${domain.siteSlugs.join(', ')}` : 'No site sends from it'}
      actions={
        <div className={classes.buttons}>
          {can('mailDomainCheck').isOffered && <CheckAgain domain={domain.domain} />}
          {!hasKey && can('mailDkimCreate').isOffered && <CreateKey domain={domain.domain} />}
          {can('mailDomainPublish').isOffered && <Publish domain={domain.domain} />}
        </div>
      }
    >
      <Card>
        <DomainRecords domain={domain} />
      </Card>
    </Section>
  )
}

/** SPF, DKIM and DMARC of every domain that sites send from, with the records to publish. */
export const DomainsPage = () => (
  <Page title="Mail" about="What others check before they accept your mail." tabs={TABS}>
    <Loaded query={useMailDomains()} skeleton={<Skeleton rows={8} />}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon={IconWorld} title="No domains yet">
            The domains of your sites appear here.
          </Empty>
        ) : (
          items.map(domain => <DomainSection key={domain.domain} domain={domain} />)
        )
      }
    </Loaded>
  </Page>
)
