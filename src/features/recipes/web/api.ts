import { siteRecipes } from '#features/site-recipes/contract.ts'
import { clientOf } from '#web/client/api.ts'
import { recipes } from '../contract.ts'

export const api = clientOf({ ...recipes, ...siteRecipes })
