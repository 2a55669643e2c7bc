import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export const useRecipes = () => useQuery({ queryKey: ['recipes', 'list'], queryFn: () => api.recipeList() })

export const useRecipe = (id: string) =>
  useQuery({ queryKey: ['recipes', id], queryFn: () => api.recipeGet({ params: { id } }) })

export const useRecipeSites = (id: string) =>
  useQuery({ queryKey: ['recipes', id, 'sites'], queryFn: () => api.recipeSites({ params: { id } }) })

export const useSteps = () =>
  useQuery({ queryKey: ['recipes', 'steps'], queryFn: () => api.recipeSteps(), staleTime: Number.POSITIVE_INFINITY })
