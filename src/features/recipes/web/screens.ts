import type { WebFeature } from '#web/client/registration.ts'
import type { recipes } from '../contract.ts'

const needs = 'full' satisfies (typeof recipes)['recipeCreate']['level']

export const recipeScreens: WebFeature = {
  screens: [
    { path: '/catalog/recipes', load: async () => (await import('./RecipesPage.tsx')).RecipesPage },
    { path: '/catalog/recipes/new', needs, load: async () => (await import('./EditRecipePage.tsx')).NewRecipePage },
    { path: '/catalog/recipes/:id', load: async () => (await import('./RecipePage.tsx')).RecipePage },
    {
      path: '/catalog/recipes/:id/edit',
      needs,
      load: async () => (await import('./EditRecipePage.tsx')).EditRecipePage,
    },
  ],
}
