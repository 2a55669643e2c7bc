import { Button } from '@mantine/core'
import { IconPackage } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import type { CatalogPlugin } from '../contract.ts'
import { api } from './api.ts'
import { CheckResult } from './CheckResult.tsx'
import { catalogActions } from './can.ts'
import { usePlugins } from './use-plugins.ts'
import { VersionsTable } from './VersionsTable.tsx'

const keepsOf = (sites: number): string => {
  if (sites === 0) return 'No site has it.'
  return sites === 1
    ? '1 site keeps it, but gets no updates from here.'
    : `${counted(sites, 'site')} keep it, but get no updates from here.`
}

const Acts = ({ plugin }: { plugin: CatalogPlugin }) => {
  const { id, name, isDefault, sites } = plugin
  const can = useCan(catalogActions)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const params = { id }
  const toggle = useMutation({
    mutationFn: () => api.pluginUpdate({ params, body: { isDefault: !isDefault } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['plugins'] })
      showToast({ tone: 'good', text: isDefault ? `New sites no longer get ${name}.` : `New sites get ${name}.` })
    },
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  const remove = async () => {
    await api.pluginDelete({ params })
    await navigate('/catalog')
    await queryClient.invalidateQueries({ queryKey: ['plugins'] })
    showToast({ tone: 'good', text: `${name} deleted from the catalog.` })
  }
  return (
    <>
      <JobButton
        label="Check again"
        verdict={can('pluginCheckStart', plugin)}
        start={() => api.pluginCheckStart({ params })}
      />
      {can('pluginUpdate').isOffered && (
        <Button variant="default" size="xs" loading={toggle.isPending} onClick={() => toggle.mutate()}>
          {isDefault ? "Don't install on new sites" : 'Install on new sites'}
        </Button>
      )}
      {can('pluginDelete').isOffered && (
        <ConfirmButton
          label="Delete"
          ask="delete"
          title={`Delete ${name} from the catalog?`}
          verb="Delete plugin"
          effects={['Its zips are deleted from the panel and from all servers.', keepsOf(sites)]}
          act={remove}
        />
      )}
    </>
  )
}

/** One plugin of the catalog: what its check found, and its versions. */
export const PluginPage = () => {
  const { id = '' } = useParams()
  const query = usePlugins()
  const plugin = query.data?.items.find(each => each.id === id)
  return (
    <Page
      title={plugin?.name ?? 'Plugin'}
      back={{ label: 'Catalog', to: '/catalog' }}
      about={
        plugin && `${plugin.slug}, ${plugin.sites === 0 ? 'not on any site' : `on ${counted(plugin.sites, 'site')}`}`
      }
      actions={plugin && <Acts plugin={plugin} />}
    >
      <Loaded query={query}>
        {() =>
          plugin ? (
            <>
              {plugin.check && <CheckResult plugin={plugin} />}
              {plugin.kind === 'zip' ? (
                <Section title="Versions" about="Older ones are kept until no site has them.">
                  <VersionsTable versions={plugin.versions} />
                </Section>
              ) : (
                <Card flush>
                  <Empty icon={IconPackage} title="From WordPress.org">
                    Sites get its newest version, and updates as usual.
                  </Empty>
                </Card>
              )}
            </>
          ) : (
            <Card flush>
              <Empty icon={IconPackage} title="No such plugin">
                It was deleted from the catalog.
              </Empty>
            </Card>
          )
        }
      </Loaded>
    </Page>
  )
}
