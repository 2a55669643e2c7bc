import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const REFRESH_MS = 10_000
const PAGE = 100

export type ListState = 'active' | 'history'

export const useBlocks = (state: ListState, q: string) =>
  useInfiniteQuery({
    queryKey: ['blocks', 'list', state, q],
    queryFn: ({ pageParam }) =>
      api.securityBlockList({ query: { state, ...(q !== '' && { q }), limit: PAGE, offset: pageParam } }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (pages.length * PAGE < last.total ? pages.length * PAGE : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.pages.length ?? 1) * REFRESH_MS,
  })

export const useCheck = (address: string) =>
  useQuery({
    queryKey: ['blocks', 'check', address],
    queryFn: () => api.securityCheck({ query: { address } }),
    enabled: address !== '',
    retry: false,
  })

export const useNeverBlock = () =>
  useQuery({ queryKey: ['blocks', 'never'], queryFn: () => api.securityNeverBlockList() })

export const useFirewall = () =>
  useQuery({ queryKey: ['blocks', 'firewall'], queryFn: () => api.securityFirewallGet(), refetchInterval: REFRESH_MS })

export const useDetection = () =>
  useQuery({
    queryKey: ['blocks', 'detection'],
    queryFn: () => api.securityDetectionGet(),
    refetchInterval: REFRESH_MS,
  })
