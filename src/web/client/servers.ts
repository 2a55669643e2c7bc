import { queryOptions, useQuery } from '@tanstack/react-query'
import { servers } from '#features/servers/contract.ts'
import { clientOf } from './api.ts'

const FRESH_MS = 30_000

const { serverList } = clientOf(servers)

/** Every server: one question for all that name them, which is nearly every screen. */
export const serversOptions = queryOptions({
  queryKey: ['servers'],
  queryFn: () => serverList(),
  staleTime: FRESH_MS,
})

export const useServers = () => useQuery(serversOptions)

/** What people call a server, by its number. */
export const useServerNames = (): ((id: number) => string) => {
  const { data } = useServers()
  return id => data?.items.find(server => server.id === id)?.name ?? `Server ${id}`
}
