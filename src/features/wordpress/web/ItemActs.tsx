import { Group } from '@mantine/core'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Status } from '#web/kit/Status.tsx'
import type { WordpressItem } from '../inventory/contract.ts'
import { api } from './api.ts'
import { wordpressActions } from './can.ts'

export type ItemKind = 'plugin' | 'theme'

interface ItemProps {
  kind: ItemKind
  site: Site
  item: WordpressItem
}

const isActive = ({ status }: WordpressItem) => status === 'active' || status === 'active-network'
const isOwn = ({ status }: WordpressItem) => status !== 'must-use' && status !== 'dropin'

/** The button for its update, or that there is none. */
export const ItemUpdate = ({ kind, site, item: { name, title, update, autoUpdate } }: ItemProps) => {
  const does = kind === 'plugin' ? 'wpPluginUpdate' : 'wpThemeUpdate'
  const verdict = useCan(wordpressActions)(does, site)
  if (!update) return autoUpdate ? 'Automatic' : '–'
  if (!verdict.isOffered) return <Status tone="warning" word={update.version} />
  const start = () => api[does]({ params: { slug: site.slug, name } })
  const label = `Update to ${update.version}`
  return <JobButton label={label} name={`${label}: ${title}`} verdict={verdict} start={start} />
}

/** A theme is never deactivated; another one is activated. */
const SwitchButton = ({ kind, site, item }: ItemProps) => {
  const can = useCan(wordpressActions)
  const params = { slug: site.slug, name: item.name }
  if (kind === 'plugin' && isActive(item))
    return (
      <JobButton
        label="Deactivate"
        name={`Deactivate ${item.title}`}
        verdict={can('wpPluginDeactivate', site)}
        start={() => api.wpPluginDeactivate({ params })}
      />
    )
  if (isActive(item)) return null
  const does = kind === 'plugin' ? 'wpPluginActivate' : 'wpThemeActivate'
  const start = () => api[does]({ params })
  return <JobButton label="Activate" name={`Activate ${item.title}`} verdict={can(does, site)} start={start} />
}

const DeleteButton = ({ kind, site, item: { name, title } }: ItemProps) => {
  const does = kind === 'plugin' ? 'wpPluginDelete' : 'wpThemeDelete'
  const { isOffered, reason } = useCan(wordpressActions)(does, site)
  const follow = useFollowJob()
  return (
    isOffered && (
      <ConfirmButton
        label="Delete"
        ask={`delete-${kind}-${name}`}
        aria-label={`Delete ${title}`}
        refusal={reason}
        title={`Delete ${title}?`}
        verb={`Delete ${kind}`}
        effects={[
          'Its files are deleted.',
          ...(kind === 'plugin' ? ['A plugin may also delete its own data from the database.'] : []),
        ]}
        act={() => follow(api[does]({ params: { slug: site.slug, name } }))}
      />
    )
  )
}

/** Turning a plugin or theme on and off, and deleting it. */
export const ItemActs = (props: ItemProps) =>
  isOwn(props.item) && (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <SwitchButton {...props} />
      {props.item.status === 'inactive' && <DeleteButton {...props} />}
    </Group>
  )
