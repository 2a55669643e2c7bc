import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './api.ts'

/** Changes that the check depends on get it asked again, since its key begins with the same word. */
export const useDns = () => useQuery({ queryKey: ['dns'], queryFn: () => api.dnsGet() })

/** What the stored token reaches now, for those who may ask. */
export const useDnsCheck = (isAsked: boolean) =>
  useQuery({
    queryKey: ['dns', 'check'],
    queryFn: () => api.dnsCheck({ body: {} }),
    enabled: isAsked,
    staleTime: 60_000,
    retry: false,
  })

export const useRefreshDns = () => {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['dns'] })
}
