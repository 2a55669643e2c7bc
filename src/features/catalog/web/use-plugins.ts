import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export const usePlugins = () => useQuery({ queryKey: ['plugins', 'list'], queryFn: () => api.pluginList() })

export const useCheck = (id: string) =>
  useQuery({ queryKey: ['plugins', 'check', id], queryFn: () => api.pluginCheck({ params: { id } }) })
