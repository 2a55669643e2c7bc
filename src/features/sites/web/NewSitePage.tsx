import type { z } from 'zod'
import { NoServer } from '#features/servers/web/index.ts'
import type { sites } from '#features/sites/contract.ts'
import { useSession } from '#web/client/session.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { Creating } from './Creating.tsx'
import { NewSiteForm } from './NewSiteForm.tsx'
import { keepDraft, keptDraft, type NewSite, slugOf } from './new-site.ts'
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
    protection: '',
    pluginIds: options.plugins.filter(({ isDefault }) => isDefault).map(({ id }) => id),
  }
}

/** From a title to a WordPress that answers, on one page. */
export const NewSitePage = () => {
  const query = useSiteOptions()
  const url = useUrlState()
  const { data: session } = useSession()
  const made = url.of('made')
  return (
    <Page title="Create site" back={{ label: 'Sites', to: '/sites' }}>
      {made === '' ? (
        <Loaded query={query}>
          {options =>
            options.servers.some(({ ready }) => ready) ? (
              <NewSiteForm
                options={options}
                initial={
                  (url.of('again') === '' ? undefined : keptDraft()) ??
                  firstOf(options, url.of('serverId'), session?.admin)
                }
                onStarted={(form, jobId) => {
                  keepDraft(form)
                  url.push({ made: jobId })
                }}
              />
            ) : (
              <NoServer />
            )
          }
        </Loaded>
      ) : (
        <Creating key={made} jobId={made} onAgain={() => url.push({ made: '', again: '1' })} />
      )}
    </Page>
  )
}
