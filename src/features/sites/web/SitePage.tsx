import { Anchor } from '@mantine/core'
import { useParams } from 'react-router'
import { usePageTabs } from '#web/client/PageTabs.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { Interrupted } from './Interrupted.tsx'
import { MissingParts } from './MissingParts.tsx'
import { SiteActions } from './SiteActions.tsx'
import { siteStatus } from './status.ts'
import { useSite, useSiteUses } from './use-sites.ts'
import { WaitingForDns } from './WaitingForDns.tsx'

/** One site: how it is, its names, what was done to it, and what can be changed. */
export const SitePage = () => {
  const { slug = '', '*': part = '' } = useParams()
  const tabs = usePageTabs('site', `/sites/${slug}`, part)
  const query = useSite(slug)
  const { data: uses } = useSiteUses()
  const site = query.data
  return (
    <Page
      title={site?.title ?? slug}
      back={{ label: 'Sites', to: '/sites' }}
      status={site && <Status {...siteStatus(site, uses?.get(slug)?.up)} />}
      about={
        site && (
          <Anchor href={site.url} target="_blank" rel="noreferrer" size="sm">
            {site.hostnames[0]}
          </Anchor>
        )
      }
      actions={site && <SiteActions site={site} />}
      {...(site && { tabs: tabs.links })}
    >
      <Loaded query={query} skeleton={<Skeleton rows={2} height="12rem" />}>
        {found => (
          <>
            {found.interrupted !== null && <Interrupted slug={slug} interrupted={found.interrupted} />}
            {found.missing !== null && <MissingParts slug={slug} missing={found.missing} />}
            {found.waitingFor !== null && <WaitingForDns reason={found.waitingFor} />}
            {tabs.content({ site: found })}
          </>
        )}
      </Loaded>
    </Page>
  )
}
