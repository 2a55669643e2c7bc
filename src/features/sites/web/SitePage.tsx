import { Anchor } from '@mantine/core'
import { Navigate, Route, Routes, useParams } from 'react-router'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Status } from '#web/ui/Status.tsx'
import { SiteActions } from './SiteActions.tsx'
import { SiteDomains } from './SiteDomains.tsx'
import { SiteJobs } from './SiteJobs.tsx'
import { SiteOverview } from './SiteOverview.tsx'
import { SiteSettings } from './SiteSettings.tsx'
import { siteStatus } from './status.ts'
import { useSite, useSiteUses } from './use-sites.ts'

const tabsOf = (slug: string) => [
  { label: 'Overview', to: `/sites/${slug}` },
  { label: 'Domains', to: `/sites/${slug}/domains` },
  { label: 'Jobs', to: `/sites/${slug}/jobs` },
  { label: 'Settings', to: `/sites/${slug}/settings` },
]

/** One site: how it is, its names, what was done to it, and what can be changed. */
export const SitePage = () => {
  const { slug = '' } = useParams()
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
      {...(site && { tabs: tabsOf(slug) })}
    >
      <Loaded query={query} skeleton={<Skeleton rows={2} height="12rem" />}>
        {found => (
          <Routes>
            <Route index element={<SiteOverview site={found} use={uses?.get(slug)} />} />
            <Route path="domains" element={<SiteDomains site={found} />} />
            <Route path="jobs" element={<SiteJobs slug={slug} />} />
            <Route path="settings" element={<SiteSettings key={slug} site={found} />} />
            <Route path="*" element={<Navigate to={`/sites/${slug}`} replace />} />
          </Routes>
        )}
      </Loaded>
    </Page>
  )
}
