import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { servers } from '#features/servers/contract.ts'
import { api, toProblem } from '#web/api.ts'
import { showToast } from '#web/ui/toasts.ts'

export type ServerUse = z.output<(typeof servers)['monitorOverview']['reply']>['servers'][number]

const FRESH_MS = 30_000
const REFRESH_MS = 15_000
const BUSY_MS = 3_000

/** Every server; one question for all that name them. */
export const useServers = () =>
  useQuery({ queryKey: ['servers'], queryFn: () => api.serverList(), staleTime: FRESH_MS })

/** One server, looked at more often while it is set up. */
export const useServer = (id: number) =>
  useQuery({
    queryKey: ['servers', id],
    queryFn: () => api.serverGet({ params: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'provisioning' ? BUSY_MS : REFRESH_MS),
  })

/** What people call a server, by its number. */
export const useServerNames = (): ((id: number) => string) => {
  const { data } = useServers()
  return id => data?.items.find(server => server.id === id)?.name ?? `Server ${id}`
}

/** What each server uses now, by its number; undefined until it is known. */
export const useServerUse = (): ((id: number) => ServerUse | undefined) => {
  const { data } = useQuery({
    queryKey: ['monitor'],
    queryFn: () => api.monitorOverview(),
    refetchInterval: REFRESH_MS,
  })
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
