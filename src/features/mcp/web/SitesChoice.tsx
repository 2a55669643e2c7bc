import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sites } from '#features/sites/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { CheckList } from '#web/kit/CheckList.tsx'
import classes from './SitesChoice.module.css'

interface SitesChoiceProps {
  /** Null for all. */
  slugs: string[] | null
  onChange: (slugs: string[] | null) => void
  error?: string | undefined
}

/** Which sites an app can reach. */
export const SitesChoice = ({ slugs, onChange, error }: SitesChoiceProps) => {
  const { data } = useQuery({ queryKey: ['sites', 'list'], queryFn: () => clientOf(sites).siteList() })
  const items = data?.items ?? []
  return (
    <div className={classes.choice}>
      <NativeSelect
        label="Sites"
        description="With single sites, it can't use anything that reaches other sites, servers or the panel."
        data={[
          { value: 'all', label: 'All sites, also those created later' },
          { value: 'some', label: 'These sites' },
        ]}
        value={slugs === null ? 'all' : 'some'}
        error={error}
        onChange={event => onChange(event.currentTarget.value === 'all' ? null : [])}
      />
      {slugs !== null && (
        <CheckList
          label="Sites it can reach"
          options={items.map(({ slug, title }) => ({ value: slug, label: `${title} (${slug})` }))}
          value={slugs}
          onChange={onChange}
          empty="There are no sites yet."
        />
      )}
    </div>
  )
}
