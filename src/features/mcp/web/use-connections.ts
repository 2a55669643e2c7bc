import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const REFRESH_MS = 30_000

/** The connections in use; asked again from time to time, because each use of one is noted. */
export const useConnections = () =>
  useQuery({ queryKey: ['connections'], queryFn: () => api.mcpConnectionList(), refetchInterval: REFRESH_MS })

export const useSetup = () => useQuery({ queryKey: ['connections', 'setup'], queryFn: () => api.mcpSetup() })
