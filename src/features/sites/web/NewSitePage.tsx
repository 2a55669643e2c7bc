import { useState } from 'react'
import type { z } from 'zod'
import { NoServer } from '#features/servers/web/NoServer.tsx'
import type { sites } from '#features/sites/contract.ts'
import { useSession } from '#web/session.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useUrlState } from '#web/ui/use-url-state.ts'
import { Creating } from './Creating.tsx'
import { NewSiteForm } from './NewSiteForm.tsx'
import { type NewSite, slugOf } from './new-site.ts'
import { useSiteOptions } from './use-sites.ts'

type Options = z.output<(typeof sites)['siteOptions']['reply']>

/** The server with the fewest sites, the default PHP, and the person's own address. */
const firstOf = (options: Options, serverId: string, admin: { name: string; email: string } | undefined): NewSite => {
  const ready = options.servers.filter(server => server.ready).toSorted((a, b) => a.sites - b.sites)
  const wished = ready.find(({ id }) => String(id) === serverId)
  return {
    title: '',
    slug: '',
    serverId: String((wished ?? ready[0])?.id ?? ''),
    phpVersion: options.phpVersions.find(version => version.default)?.version ?? '',
    domainMode: 'dev',
    domains: '',
    adminUser: slugOf(admin?.name.split(' ')[0] ?? ''),
    adminEmail: admin?.email ?? '',
    locale: options.locales[0] ?? 'en_US',
  }
}

/** From a title to a WordPress that answers, on one page. */
export const NewSitePage = () => {
  const query = useSiteOptions()
  const url = useUrlState()
  const { data: session } = useSession()
  const [draft, setDraft] = useState<NewSite>()
  const made = url.of('made')
  return (
    <Page title="Create a site" back={{ label: 'Sites', to: '/sites' }}>
      {made === '' ? (
        <Loaded query={query}>
          {options =>
            options.servers.some(({ ready }) => ready) ? (
              <NewSiteForm
                options={options}
                initial={draft ?? firstOf(options, url.of('serverId'), session?.admin)}
                onStarted={(form, jobId) => {
                  setDraft(form)
                  url.push({ made: jobId })
                }}
              />
            ) : (
              <NoServer />
            )
          }
        </Loaded>
      ) : (
        <Creating key={made} jobId={made} onAgain={() => url.push({ made: '' })} />
      )}
    </Page>
  )
}
