import { Button } from '@mantine/core'
import { IconChefHat } from '@tabler/icons-react'
import { Link } from 'react-router'
import { catalogTabs } from '#features/catalog/web/index.ts'
import { useCan } from '#web/client/can.ts'
import { counted } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import type { Recipe } from '../contract.ts'
import { recipeActions } from './can.ts'
import { ImportRecipe } from './ImportRecipe.tsx'
import { useRecipes } from './use-recipes.ts'

const columns: readonly Column<Recipe>[] = [
  {
    id: 'name',
    title: 'Name',
    sort: ({ name }) => name,
    cell: ({ id, name, pluginName }) => (
      <>
        <RowLink to={`/catalog/recipes/${id}`}>{name}</RowLink>
        <CellNote>{pluginName ?? 'Not for a certain plugin'}</CellNote>
      </>
    ),
  },
  {
    id: 'inputs',
    title: 'Inputs',
    width: '11rem',
    wide: true,
    cell: ({ ready }) =>
      ready ? <Status tone="good" word="Complete" /> : <Status tone="warning" word="Values missing" />,
  },
  {
    id: 'licenses',
    title: 'Licenses',
    width: '11rem',
    sort: ({ licenses }) => -licenses.other,
    cell: ({ licenses: { valid, other } }) => (
      <>
        {counted(valid, 'site')} valid
        {other > 0 && (
          <CellNote>
            <Status tone="bad" word={`${other} not valid`} />
          </CellNote>
        )}
      </>
    ),
  },
]

/** What licenses and sets up premium plugins. */
export const RecipesPage = () => {
  const query = useRecipes()
  const { isOffered } = useCan(recipeActions)('recipeCreate')
  const create = isOffered && (
    <Button component={Link} to="/catalog/recipes/new" size="sm">
      Create recipe
    </Button>
  )
  return (
    <Page
      title="Recipes"
      about="Recipes license and set up premium plugins on your sites."
      tabs={catalogTabs}
      actions={
        isOffered && (
          <>
            <ImportRecipe />
            {create}
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label="Recipes"
            rows={items}
            columns={columns}
            idOf={({ id }) => id}
            empty={
              <Empty icon={IconChefHat} title="No recipes yet" action={create}>
                Create one to enter a license key once and use it on all sites.
              </Empty>
            }
          />
        )}
      </Loaded>
    </Page>
  )
}
