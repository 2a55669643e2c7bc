import { useQuery } from '@tanstack/react-query'
import { type CatalogPlugin, catalog } from '#features/catalog/contract.ts'
import type { Site } from '#features/sites/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { Status } from '#web/kit/Status.tsx'
import classes from './AddPlugin.module.css'
import { api } from './api.ts'
import { wordpressActions } from './can.ts'

const { pluginList } = clientOf(catalog)

interface FromCatalogProps {
  site: Site
  installed: ReadonlySet<string>
  activate: boolean
}

const Offer = ({ site, plugin, installed, activate }: FromCatalogProps & { plugin: CatalogPlugin }) => {
  const verdict = useCan(wordpressActions)('wpPluginInstall', site)
  const { id, name, slug, version } = plugin
  const body = { source: { kind: 'catalog' as const, id }, activate }
  return (
    <li className={classes.found}>
      <div>
        <div className={classes.name}>{name}</div>
        <div className={classes.more}>{version === null ? slug : `${slug} · ${version}`}</div>
      </div>
      {installed.has(slug) ? (
        <Status tone="good" word="Installed" />
      ) : (
        <JobButton
          label="Install"
          name={`Install ${name} from the catalog`}
          verdict={verdict}
          start={() => api.wpPluginInstall({ params: { slug: site.slug }, body })}
        />
      )}
    </li>
  )
}

/** What this panel has for its sites, before anything is searched for. */
export const FromCatalog = (props: FromCatalogProps) => {
  const { data } = useQuery({ queryKey: ['plugins', 'list'], queryFn: () => pluginList() })
  const offered = (data?.items ?? []).filter(({ installable }) => installable)
  if (offered.length === 0) return null
  return (
    <>
      <div className={classes.name}>From the catalog</div>
      <ul className={classes.list} aria-label="Plugins of the catalog">
        {offered.map(plugin => (
          <Offer key={plugin.id} plugin={plugin} {...props} />
        ))}
      </ul>
    </>
  )
}
