import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const CHECKING_MS = 3000

/** While a zip is being checked, its result is waited for. */
export const usePlugins = () =>
  useQuery({
    queryKey: ['plugins', 'list'],
    queryFn: () => api.pluginList(),
    refetchInterval: ({ state }) => (state.data?.items.some(({ check }) => check?.checking) ? CHECKING_MS : false),
  })

export const useCheck = (id: string) =>
  useQuery({
    queryKey: ['plugins', 'check', id],
    queryFn: () => api.pluginCheck({ params: { id } }),
    refetchInterval: ({ state }) => (state.data?.check?.checking ? CHECKING_MS : false),
  })
