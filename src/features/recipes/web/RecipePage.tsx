import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Status } from '#web/kit/Status.tsx'
import { showToast } from '#web/kit/toasts.ts'
import type { Recipe } from '../contract.ts'
import { api } from './api.ts'
import { recipeActions } from './can.ts'
import { InputValues } from './InputValues.tsx'
import { LicensesTable } from './LicensesTable.tsx'
import { useRecipe } from './use-recipes.ts'

/** To import elsewhere; it holds no value of any input. */
const download = ({ name, export: exported }: Recipe): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(exported, null, 2)], { type: 'application/json' }))
  link.download = `${name}.json`
  link.click()
  URL.revokeObjectURL(link.href)
}

const Acts = ({ recipe }: { recipe: Recipe }) => {
  const { id, name } = recipe
  const can = useCan(recipeActions)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const remove = async () => {
    await api.recipeDelete({ params: { id } })
    await navigate('/catalog/recipes')
    await queryClient.invalidateQueries({ queryKey: ['recipes'] })
    showToast({ tone: 'good', text: `${name} deleted.` })
  }
  return (
    <>
      <Button variant="default" size="xs" onClick={() => download(recipe)}>
        Export
      </Button>
      {can('recipeUpdate').isOffered && (
        <Button component={Link} to={`/catalog/recipes/${id}/edit`} variant="default" size="xs">
          Edit
        </Button>
      )}
      {can('recipeDelete').isOffered && (
        <ConfirmButton
          label="Delete"
          ask="delete"
          title={`Delete ${name}?`}
          verb="Delete recipe"
          effects={['Its values are deleted, license keys included.', 'Sites stay as they are.']}
          act={remove}
        />
      )}
    </>
  )
}

/** One recipe: its values, and how it stands on each site. */
export const RecipePage = () => {
  const { id = '' } = useParams()
  const query = useRecipe(id)
  const can = useCan(recipeActions)
  const recipe = query.data
  // Saved values are shown afresh, so no secret stays in its field.
  const [saves, setSaves] = useState(0)
  return (
    <Page
      title={recipe?.name ?? 'Recipe'}
      back={{ label: 'Recipes', to: '/catalog/recipes' }}
      about={
        recipe && (recipe.description || (recipe.pluginName ? `For ${recipe.pluginName}` : 'Not for a certain plugin'))
      }
      status={recipe && !recipe.ready && <Status tone="warning" word="Values missing" />}
      actions={recipe && <Acts recipe={recipe} />}
    >
      <Loaded query={query}>
        {loaded => (
          <>
            {loaded.inputs.length > 0 && can('recipeInputs').isOffered && (
              <InputValues key={`${loaded.id} ${saves}`} recipe={loaded} onSaved={() => setSaves(saves + 1)} />
            )}
            <LicensesTable recipe={loaded} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
