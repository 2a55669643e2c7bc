import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { type Site, sites } from '#features/sites/contract.ts'
import type { SiteHostname } from '#features/sites/domains/contract.ts'
import { useCan } from '#web/client/can.ts'
import { useMay } from '#web/client/session.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { Card } from '#web/kit/Card.tsx'
import { Confirm } from '#web/kit/Confirm.tsx'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { checked } from '#web/kit/field-errors.ts'
import { Section } from '#web/kit/Section.tsx'
import { useForm } from '#web/kit/use-form.ts'
import { api } from './api.ts'
import { siteActions } from './can.ts'
import { effectsOf } from './names-change.ts'
import { namesError } from './names-error.ts'
import { namesIn, someNamesIn } from './new-site.ts'
import { PlannedRecords } from './PlannedRecords.tsx'
import classes from './SiteDomains.module.css'
import { useDnsCheck } from './use-dns-check.ts'

interface Wish {
  domains: string[]
  keepDevAlias: boolean
  manageDns: boolean
}

const GoLiveConfirm = ({ site, items, wish, onClose }: GoLiveProps & { wish: Wish; onClose: () => void }) => {
  const follow = useFollowJob()
  const dev = items.filter(item => item.dev).map(({ hostname }) => hostname)
  const after = [...wish.domains, ...(wish.keepDevAlias ? dev : [])]
  return (
    <Confirm
      title={`Go live on ${wish.domains[0]}?`}
      verb="Go live"
      effects={effectsOf(items, after, wish.manageDns)}
      act={() => follow(api.siteGoLive({ params: { slug: site.slug }, body: wish }), { show: true })}
      onClose={onClose}
    />
  )
}

interface GoLiveProps {
  site: Site
  items: readonly SiteHostname[]
}

const BLANK = { domains: '', keepDevAlias: true, manageDns: true }

const RecordsByHand = ({ addresses }: { addresses: readonly string[] }) => (
  <>
    <p className={classes.text}>
      First point your domains to the server. Add these DNS records at your domain provider:
    </p>
    {addresses.map(address => (
      <CopyField key={address} label={address.includes(':') ? 'AAAA record' : 'A record'} value={address} />
    ))}
  </>
)

/** From the dev name to the site's own domains. */
export const GoLive = ({ site, items, addresses }: GoLiveProps & { addresses: readonly string[] }) => {
  const verdict = useCan(siteActions)('siteGoLive', site)
  const [wish, setWish] = useState<Wish>()
  const may = useMay()
  const form = useForm(BLANK, async ({ domains, keepDevAlias, manageDns }) => {
    const body = { domains: someNamesIn(domains), keepDevAlias, manageDns: manageDns && canManage }
    checked(sites.siteGoLive.body, body)
    setWish(body)
  })
  const plan = useDnsCheck(site.serverId, namesIn(form.values.domains))?.plan ?? null
  const isPossible = plan !== null && plan.problem === null && !plan.items.some(({ action }) => action === 'blocked')
  const canManage = isPossible && may('full')
  return (
    <Section title="Go live" about="Moves the site from its dev domain to your own domains.">
      <Card>
        <form className={classes.live} {...form.formProps}>
          <RecordsByHand addresses={addresses} />
          <Textarea
            label="Domains, primary first"
            description="One per line. The others redirect to the first."
            placeholder={'www.example.com\nexample.com'}
            rows={3}
            spellCheck={false}
            {...form.text('domains')}
            error={namesError(form.problem)}
          />
          <label className={classes.box}>
            <input type="checkbox" {...form.flag('keepDevAlias')} />
            Keep the dev domain and redirect it to the new address
          </label>
          {plan && <PlannedRecords plan={plan} />}
          {canManage && (
            <label className={classes.box}>
              <input type="checkbox" {...form.flag('manageDns')} />
              Let the panel set these DNS records
            </label>
          )}
          <FormError key={form.failures} problem={form.problem} fields={['domains', 'domains.0', 'domains.1']} />
          <div>
            <Button type="submit" disabled={!verdict.isAllowed} title={verdict.reason}>
              Go live
            </Button>
          </div>
        </form>
      </Card>
      {wish && <GoLiveConfirm site={site} items={items} wish={wish} onClose={() => setWish(undefined)} />}
    </Section>
  )
}
