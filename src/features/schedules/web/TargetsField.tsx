import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sites } from '#features/sites/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { useServers } from '#web/client/servers.ts'
import { CheckList } from '#web/kit/CheckList.tsx'
import type { ScheduleTargets } from '../contract.ts'
import classes from './TargetsField.module.css'

type Kind = 'all' | 'servers' | 'labels' | 'sites'

const KINDS = [
  { value: 'all', label: 'All sites' },
  { value: 'servers', label: 'All sites on…' },
  { value: 'labels', label: 'All sites labeled…' },
  { value: 'sites', label: 'These sites' },
]

const EMPTY: ScheduleTargets = { all: false, servers: [], labels: [], sites: [] }

export const kindOf = ({ all, servers, labels }: ScheduleTargets): Kind => {
  if (all) return 'all'
  if (servers.length > 0) return 'servers'
  return labels.length > 0 ? 'labels' : 'sites'
}

const useOptions = (): Record<Exclude<Kind, 'all'>, { value: string; label: string }[]> => {
  const { data: servers } = useServers()
  const { data } = useQuery({ queryKey: ['sites', 'list'], queryFn: () => clientOf(sites).siteList() })
  const items = data?.items ?? []
  const labels = [...new Set(items.flatMap(site => site.labels))].toSorted((a, b) => a.localeCompare(b))
  return {
    servers: (servers?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    labels: labels.map(label => ({ value: label, label })),
    sites: items.map(({ slug, title }) => ({ value: slug, label: `${title} (${slug})` })),
  }
}

const NOTHING = {
  servers: 'There are no servers.',
  labels: 'No site has a label yet.',
  sites: 'There are no sites yet.',
}

interface TargetsFieldProps {
  kind: Kind
  targets: ScheduleTargets
  error: string | undefined
  onChange: (kind: Kind, targets: ScheduleTargets) => void
}

/** Which sites it works on. */
export const TargetsField = ({ kind, targets, error, onChange }: TargetsFieldProps) => {
  const options = useOptions()
  const chosen = kind === 'all' ? [] : targets[kind].map(String)
  const choose = (values: string[]) =>
    onChange(kind, { ...EMPTY, ...(kind !== 'all' && { [kind]: kind === 'servers' ? values.map(Number) : values }) })
  return (
    <div className={classes.field}>
      <NativeSelect
        label="Sites"
        data={KINDS}
        value={kind}
        error={error}
        onChange={event => {
          const next = event.currentTarget.value as Kind
          onChange(next, { ...EMPTY, all: next === 'all' })
        }}
      />
      {kind !== 'all' && (
        <CheckList
          label="Sites it works on"
          options={options[kind]}
          value={chosen}
          onChange={choose}
          empty={NOTHING[kind]}
        />
      )}
    </div>
  )
}
