import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const REFRESH_MS = 15_000

export const useDestinations = () =>
  useQuery({
    queryKey: ['destinations', 'list'],
    queryFn: () => api.destinationList(),
    refetchInterval: REFRESH_MS,
  })

export const useDestination = (id: string) =>
  useQuery({
    queryKey: ['destinations', 'list'],
    queryFn: () => api.destinationList(),
    refetchInterval: REFRESH_MS,
    select: ({ items }) => items.find(destination => destination.id === id) ?? null,
  })

export const useCopies = (id: string, page: { status?: 'good' | 'failed' | 'copying' | 'damaged'; offset: number }) =>
  useQuery({
    queryKey: ['destinations', 'copies', id, page],
    queryFn: () => api.destinationCopyList({ params: { id }, query: { ...page, limit: COPIES_PER_PAGE } }),
    refetchInterval: REFRESH_MS,
  })

export const COPIES_PER_PAGE = 50
