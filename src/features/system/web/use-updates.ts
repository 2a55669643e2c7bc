import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const RUNNING_MS = 1000
const RESTING_MS = 60_000

export type Updates = Awaited<ReturnType<typeof api.systemUpdateGet>>

export const UPDATES_KEY = ['system', 'update']

/** While an update runs, the panel is away for some seconds: what was known stays, and it is asked again. */
export const useUpdates = () =>
  useQuery({
    queryKey: UPDATES_KEY,
    queryFn: () => api.systemUpdateGet(),
    refetchInterval: ({ state }) => (state.data?.update?.status === 'running' ? RUNNING_MS : RESTING_MS),
  })
