import { Alert, Button, TextInput } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { type Site, sites } from '#features/sites/contract.ts'
import type { SiteHostname } from '#features/sites/domains/contract.ts'
import { api } from '#web/api.ts'
import { useMay, useTimeZone } from '#web/session.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Section } from '#web/ui/Section.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useFollowJob } from '#web/ui/use-follow-job.ts'
import { useForm } from '#web/ui/use-form.ts'
import { DomainsTable } from './DomainsTable.tsx'
import { GoLive } from './GoLive.tsx'
import { addNames, type NamesChange } from './names-change.ts'
import { namesError } from './names-error.ts'
import { namesIn } from './new-site.ts'
import classes from './SiteDomains.module.css'
import { useSiteDomains } from './use-sites.ts'

interface AddNamesProps {
  items: readonly SiteHostname[]
  disabled: boolean
  onChange: (change: NamesChange) => void
}

const AddNames = ({ items, disabled, onChange }: AddNamesProps) => {
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
          aria-label="Names to add"
          placeholder="shop.example.com"
          spellCheck={false}
          {...form.text('domains')}
          error={namesError(form.problem)}
        />
        <Button type="submit" variant="default" disabled={disabled || form.values.domains.trim() === ''}>
          Add the name
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
  const may = useMay()
  const timeZone = useTimeZone()
  const [change, setChange] = useState<NamesChange>()
  const canChange = site.status === 'running' && site.jobId === null
  return (
    <Loaded query={query} skeleton={<Skeleton height="8rem" />}>
      {({ items, serverAddresses }) => (
        <>
          <Section
            title="Names"
            about={`Asked of DNS just now. Records should lead to ${serverAddresses.join(' or ') || 'the server'}.`}
          >
            <DomainsTable
              items={items}
              timeZone={timeZone}
              isBusy={site.jobId !== null}
              mayChange={may('manage') && canChange}
              onChange={setChange}
            />
            {may('manage') && site.status !== 'running' && (
              <Alert color="gray" variant="light" p="sm" icon={<IconInfoCircle aria-hidden="true" />}>
                Names are changed while the site runs. Start it first.
              </Alert>
            )}
            {may('manage') && site.domainMode === 'live' && (
              <AddNames items={items} disabled={!canChange} onChange={setChange} />
            )}
          </Section>
          {may('manage') && site.domainMode === 'dev' && (
            <GoLive site={site} items={items} addresses={serverAddresses} />
          )}
          {change && <NamesConfirm slug={site.slug} change={change} onClose={() => setChange(undefined)} />}
        </>
      )}
    </Loaded>
  )
}
