import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

const REFRESH_MS = 15_000

/** What every server and every site uses now. */
export const monitorOptions = queryOptions({
  queryKey: ['monitor'],
  queryFn: () => api.monitorOverview(),
  refetchInterval: REFRESH_MS,
})
