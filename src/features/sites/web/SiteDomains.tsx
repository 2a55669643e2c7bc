import { Alert, Button, TextInput } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { type Site, sites } from '#features/sites/contract.ts'
import type { SiteHostname } from '#features/sites/domains/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { Confirm } from '#web/kit/Confirm.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { siteActions } from './can.ts'
import { DnsRecords } from './DnsRecords.tsx'
import { DomainsTable } from './DomainsTable.tsx'
import { GoLive } from './GoLive.tsx'
import { addNames, type NamesChange } from './names-change.ts'
import { namesError } from './names-error.ts'
import { namesIn } from './new-site.ts'
import classes from './SiteDomains.module.css'
import { useSiteDomains } from './use-sites.ts'

interface AddNamesProps {
  items: readonly SiteHostname[]
  refusal: string | undefined
  onChange: (change: NamesChange) => void
}

const AddNames = ({ items, refusal, onChange }: AddNamesProps) => {
  const form = useForm({ domains: '' }, async ({ domains }) => {
    const names = namesIn(domains)
    checked(sites.siteDomainsUpdate.body, { domains: names })
    onChange(addNames(items, names))
  })
  return (
    <form {...form.formProps}>
      <div className={classes.add}>
        <TextInput
          className={classes.addField ?? ''}
          aria-label="Domains to add"
          placeholder="shop.example.com"
          spellCheck={false}
          {...form.text('domains')}
          error={namesError(form.problem)}
        />
        <Button
          type="submit"
          variant="default"
          disabled={refusal !== undefined || form.values.domains.trim() === ''}
          title={refusal}
        >
          Add domain
        </Button>
      </div>
      <FormError key={form.failures} problem={form.problem} fields={['domains', 'domains.0', 'domains.1']} />
    </form>
  )
}

const NamesConfirm = ({ slug, change, onClose }: { slug: string; change: NamesChange; onClose: () => void }) => {
  const follow = useFollowJob()
  const { title, verb, domains, effects } = change
  return (
    <Confirm
      {...{ title, verb, effects, onClose }}
      act={() => follow(api.siteDomainsUpdate({ params: { slug }, body: { domains: [...domains] } }), { show: true })}
    />
  )
}

/** The names of a site: how each stands, changing them, and going live. */
export const SiteDomains = ({ site }: { site: Site }) => {
  const query = useSiteDomains(site.slug)
  const change = useCan(siteActions)('siteDomainsUpdate', site)
  const timeZone = useTimeZone()
  const [wished, setWished] = useState<NamesChange>()
  return (
    <Loaded query={query} skeleton={<Skeleton height="8rem" />}>
      {({ items, serverAddresses, goLive }) => (
        <>
          {goLive && (
            <Section title="Waiting for DNS" about={`${goLive.hostnames[0]} goes live by itself once DNS is right.`}>
              <DnsRecords records={goLive.records} addresses={serverAddresses} />
            </Section>
          )}
          <Section
            title="Domains"
            about={`DNS checked just now. Records should point to ${serverAddresses.join(' or ') || 'the server'}.`}
          >
            <DomainsTable
              items={items}
              timeZone={timeZone}
              isBusy={site.jobId !== null}
              mayChange={change.isAllowed}
              onChange={setWished}
            />
            {change.isOffered && site.status !== 'running' && (
              <Alert color="gray" variant="light" p="sm" icon={<IconInfoCircle aria-hidden="true" />}>
                {change.reason}
              </Alert>
            )}
            {change.isOffered && site.domainMode === 'live' && (
              <AddNames items={items} refusal={change.reason} onChange={setWished} />
            )}
          </Section>
          {change.isOffered && site.domainMode === 'dev' && (
            <GoLive site={site} items={items} addresses={serverAddresses} />
          )}
          {wished && <NamesConfirm slug={site.slug} change={wished} onClose={() => setWished(undefined)} />}
        </>
      )}
    </Loaded>
  )
}
