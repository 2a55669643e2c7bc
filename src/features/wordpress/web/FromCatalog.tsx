import { useQuery } from '@tanstack/react-query'
import { catalog } from '#features/catalog/contract.ts'
import { PluginRow, PluginRows } from '#features/catalog/web/index.ts'
import type { Site } from '#features/sites/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { InstallButton } from './InstallButton.tsx'

const { pluginList } = clientOf(catalog)

interface FromCatalogProps {
  site: Site
  installed: ReadonlySet<string>
  activate: boolean
}

/** What this panel has for its sites, before anything is searched for. */
export const FromCatalog = ({ site, installed, activate }: FromCatalogProps) => {
  const { data } = useQuery({ queryKey: ['plugins', 'list'], queryFn: () => pluginList() })
  const offered = (data?.items ?? []).filter(({ installable }) => installable)
  if (offered.length === 0) return null
  return (
    <>
      <strong>From the catalog</strong>
      <PluginRows label="Plugins of the catalog">
        {offered.map(({ id, name, slug, version }) => (
          <PluginRow
            key={id}
            name={name}
            more={version === null ? slug : `${slug} · ${version}`}
            act={
              <InstallButton
                site={site}
                name={`Install ${name} from the catalog`}
                isInstalled={installed.has(slug)}
                body={{ source: { kind: 'catalog', id }, activate }}
              />
            }
          />
        ))}
      </PluginRows>
    </>
  )
}
