import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const REFRESH_MS = 15_000

export const useSchedules = () =>
  useQuery({ queryKey: ['schedules', 'list'], queryFn: () => api.scheduleList(), refetchInterval: REFRESH_MS })

export const useSchedule = (id: string) =>
  useQuery({
    queryKey: ['schedules', 'one', id],
    queryFn: () => api.scheduleGet({ params: { id } }),
    refetchInterval: REFRESH_MS,
  })

export const useActions = () =>
  useQuery({ queryKey: ['schedules', 'actions'], queryFn: () => api.scheduleActionList(), staleTime: Infinity })
