import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { When } from '#web/kit/When.tsx'
import type { SiteLicense } from '../contract.ts'
import { api } from './api.ts'
import { licenseActions } from './can.ts'
import { LICENSE_WORDS } from './words.ts'

const columnsFor = (now: number): readonly Column<SiteLicense>[] => [
  {
    id: 'recipe',
    title: 'Recipe',
    cell: ({ recipeId, recipeName, message }) => (
      <>
        <Link to={`/catalog/recipes/${recipeId}`}>{recipeName}</Link>
        {message !== null && <CellNote>{message}</CellNote>}
      </>
    ),
  },
  {
    id: 'status',
    title: 'License',
    width: '9rem',
    cell: ({ status }) => <Status {...LICENSE_WORDS[status]} />,
  },
  {
    id: 'checked',
    title: 'Checked',
    width: '9rem',
    wide: true,
    cell: ({ checkedAt }) => (checkedAt === null ? '–' : <When at={checkedAt} now={now} />),
  },
]

/** How the licenses of premium plugins stand on a site; nothing where no recipe fits. */
export const SiteLicenses = ({ site }: { site: Site }) => {
  const { slug } = site
  const query = useQuery({ queryKey: ['sites', 'recipes', slug], queryFn: () => api.wpRecipes({ params: { slug } }) })
  const verdict = useCan(licenseActions)('wpRecipesApply', site)
  const licenses = query.data?.items ?? []
  if (licenses.length === 0) return null
  const start = (hook: 'afterInstall' | 'verify') => () => api.wpRecipesApply({ params: { slug }, body: { hook } })
  return (
    <Section
      title="Licenses"
      about="Recipes license and set up premium plugins."
      actions={
        licenses.some(({ status }) => status !== 'not-applied') ? (
          <JobButton label="Check licenses" verdict={verdict} start={start('verify')} />
        ) : (
          <JobButton label="Apply recipes" verdict={verdict} start={start('afterInstall')} />
        )
      }
    >
      <Table
        label="Licenses"
        rows={licenses}
        columns={columnsFor(query.dataUpdatedAt)}
        idOf={({ recipeId }) => recipeId}
        empty={null}
      />
    </Section>
  )
}
