import { QueryCache, QueryClient } from '@tanstack/react-query'
import { Problem } from '#platform/contract/problem.ts'
import { forgetSession } from '#web/client/session.ts'

/** A panel that restarts or a line that drops comes back soon; any other answer stays the same when asked again. */
const isPassing = (error: Error) =>
  error instanceof Problem && ['bad_gateway', 'timeout', 'maintenance'].includes(error.code)

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: error => {
      if (error instanceof Problem && error.code === 'unauthorized') forgetSession(queryClient)
    },
  }),
  defaultOptions: {
    queries: { networkMode: 'always', retry: (failures, error) => failures < 2 && isPassing(error), staleTime: 5_000 },
    mutations: { networkMode: 'always' },
  },
})
