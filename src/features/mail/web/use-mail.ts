import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export const PAGE = 100
const REFRESH_MS = 15_000
const MINUTE_MS = 60_000

export const useMailStats = (hours: number) =>
  useQuery({
    queryKey: ['mail', 'stats', hours],
    queryFn: () => api.mailStats({ query: { hours } }),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE_MS,
  })

export const useMailStatus = () =>
  useQuery({ queryKey: ['mail', 'status'], queryFn: () => api.mailStatus(), refetchInterval: MINUTE_MS })

export const useMessages = (asked: Record<string, string>) =>
  useInfiniteQuery({
    queryKey: ['mail', 'messages', asked],
    queryFn: ({ pageParam }) => api.mailMessageList({ query: { ...asked, limit: PAGE, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PAGE < last.total ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length ?? 1) * REFRESH_MS,
  })

/** Of one server, or of all where none is named. */
export const useMailQueue = (serverId: string) =>
  useQuery({
    queryKey: ['mail', 'queue', serverId],
    queryFn: () => api.mailQueueList({ query: serverId === '' ? {} : { serverId } }),
    refetchInterval: REFRESH_MS,
  })
export type Queue = NonNullable<ReturnType<typeof useMailQueue>['data']>

export const useMailDomains = () =>
  useQuery({ queryKey: ['mail', 'domains'], queryFn: () => api.mailDomainList({ query: {} }), staleTime: MINUTE_MS })

export const useMailSetup = () =>
  useQuery({ queryKey: ['mail', 'setup'], queryFn: () => api.mailSetup(), staleTime: MINUTE_MS })

export const useDkimKeys = () => useQuery({ queryKey: ['mail', 'dkim'], queryFn: () => api.mailDkimList() })
