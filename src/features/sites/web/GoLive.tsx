import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { type Site, sites } from '#features/sites/contract.ts'
import type { SiteHostname } from '#features/sites/domains/contract.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/ui/Card.tsx'
import { Confirm } from '#web/ui/Confirm.tsx'
import { CopyField } from '#web/ui/CopyButton.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { checked } from '#web/ui/field-errors.ts'
import { Section } from '#web/ui/Section.tsx'
import { useFollowJob } from '#web/ui/use-follow-job.ts'
import { useForm } from '#web/ui/use-form.ts'
import { effectsOf } from './names-change.ts'
import { namesError } from './names-error.ts'
import { someNamesIn } from './new-site.ts'
import classes from './SiteDomains.module.css'

interface Wish {
  domains: string[]
  keepDevAlias: boolean
}

const GoLiveConfirm = ({ site, items, wish, onClose }: GoLiveProps & { wish: Wish; onClose: () => void }) => {
  const follow = useFollowJob()
  const dev = items.filter(item => item.dev).map(({ hostname }) => hostname)
  const after = [...wish.domains, ...(wish.keepDevAlias ? dev : [])]
  return (
    <Confirm
      title={`Go live on ${wish.domains[0]}?`}
      verb="Go live"
      effects={effectsOf(items, after)}
      act={() => follow(api.siteGoLive({ params: { slug: site.slug }, body: wish }), { show: true })}
      onClose={onClose}
    />
  )
}

interface GoLiveProps {
  site: Site
  items: readonly SiteHostname[]
}

/** From the dev name to the site's own domains. */
export const GoLive = ({ site, items, addresses }: GoLiveProps & { addresses: readonly string[] }) => {
  const [wish, setWish] = useState<Wish>()
  const form = useForm({ domains: '', keepDevAlias: true }, async ({ domains, keepDevAlias }) => {
    const body = { domains: someNamesIn(domains), keepDevAlias }
    checked(sites.siteGoLive.body, body)
    setWish(body)
  })
  return (
    <Section title="Go live" about="Brings the site from its dev name to your own domains.">
      <Card>
        <form className={classes.live} {...form.formProps}>
          <p className={classes.text}>
            First set the DNS records of your domains, where you bought them, to the address of the server:
          </p>
          {addresses.map(address => (
            <CopyField key={address} label={address.includes(':') ? 'AAAA record' : 'A record'} value={address} />
          ))}
          <Textarea
            label="Domains, the main one first"
            description="One on each line. All others lead visitors to the first."
            placeholder={'www.example.com\nexample.com'}
            rows={3}
            spellCheck={false}
            {...form.text('domains')}
            error={namesError(form.problem)}
          />
          <label className={classes.box}>
            <input type="checkbox" {...form.flag('keepDevAlias')} />
            Keep the dev name; it leads to the new address
          </label>
          <FormError key={form.failures} problem={form.problem} fields={['domains', 'domains.0', 'domains.1']} />
          <div>
            <Button type="submit" disabled={site.jobId !== null || site.status !== 'running'}>
              Go live
            </Button>
          </div>
        </form>
      </Card>
      {wish && <GoLiveConfirm site={site} items={items} wish={wish} onClose={() => setWish(undefined)} />}
    </Section>
  )
}
