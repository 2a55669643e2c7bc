import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { monitor } from '#features/monitor/contract.ts'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import { monitorOptions } from './monitor.ts'

export type ServerUse = z.output<(typeof monitor)['monitorOverview']['reply']>['servers'][number]

const FRESH_MS = 30_000
const REFRESH_MS = 15_000
const BUSY_MS = 3_000

/** One server, looked at more often while it is set up. */
export const useServer = (id: number) =>
  useQuery({
    queryKey: ['servers', id],
    queryFn: () => api.serverGet({ params: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'provisioning' ? BUSY_MS : REFRESH_MS),
  })

/** What each server uses now, by its number; undefined until it is known. */
export const useServerUse = (): ((id: number) => ServerUse | undefined) => {
  const { data } = useQuery(monitorOptions)
  return id => data?.servers.find(({ serverId }) => serverId === id)
}

const infoOptions = (id: number) =>
  queryOptions({
    queryKey: ['servers', id, 'info'],
    queryFn: () => api.serverInfo({ params: { id } }),
    staleTime: FRESH_MS,
  })

/** What a server says about itself, at most a minute old. */
export const useServerInfo = (id: number) => useQuery({ ...infoOptions(id), refetchInterval: 2 * FRESH_MS })

/** Whether a server answers: what the monitor last found, unless its page asked later and got no answer. */
export const useReachable = (id: number): boolean | null => {
  const { data: asked } = useQuery({ ...infoOptions(id), enabled: false })
  const use = useServerUse()(id)
  if (asked && !asked.reachable && asked.checkedAt > (use?.at ?? 0)) return false
  return use?.reachable ?? null
}

/** Asks the server itself, now. */
export const useAskAgain = (id: number) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => api.serverInfo({ params: { id }, query: { refresh: 'true' } }),
    onSuccess: info => queryClient.setQueryData(infoOptions(id).queryKey, info),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
}
