import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import { type bodyOf, type Draft, draftOf } from './draft.ts'
import { RecipeForm, schemasOf } from './RecipeForm.tsx'
import { useRecipe, useSteps } from './use-recipes.ts'

const EMPTY: Draft = { name: '', description: '', pluginId: '', inputs: [], afterInstall: [], verify: [] }

const useSaved = () => {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return async ({ id, name }: { id: string; name: string }) => {
    await queryClient.invalidateQueries({ queryKey: ['recipes'] })
    showToast({ tone: 'good', text: `${name} saved.` })
    await navigate(`/catalog/recipes/${id}`)
  }
}

/** Creates a recipe. */
export const NewRecipePage = () => {
  const steps = useSteps()
  const saved = useSaved()
  const create = async (body: ReturnType<typeof bodyOf>) => saved(await api.recipeCreate({ body }))
  return (
    <Page title="Create recipe" back={{ label: 'Recipes', to: '/catalog/recipes' }}>
      <Loaded query={steps}>
        {({ items }) => <RecipeForm initial={EMPTY} kinds={items} verb="Create recipe" onSubmit={create} />}
      </Loaded>
    </Page>
  )
}

/** Changes a recipe. */
export const EditRecipePage = () => {
  const { id = '' } = useParams()
  const query = useRecipe(id)
  const steps = useSteps()
  const saved = useSaved()
  const save = async (body: ReturnType<typeof bodyOf>) => saved(await api.recipeUpdate({ params: { id }, body }))
  return (
    <Page title="Edit recipe" back={{ label: query.data?.name ?? 'Recipe', to: `/catalog/recipes/${id}` }}>
      <Loaded query={query}>
        {recipe => (
          <Loaded query={steps}>
            {({ items }) => (
              <RecipeForm initial={draftOf(recipe, schemasOf(items))} kinds={items} verb="Save" onSubmit={save} />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
