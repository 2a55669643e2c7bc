import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { ApiKey } from '#features/panel/contract.ts'
import { api } from './api.ts'

export type Key = z.infer<typeof ApiKey>

const REFRESH_MS = 30_000

/** The keys in use; asked again from time to time, because each use of one is noted. */
export const useKeys = () => useQuery({ queryKey: ['keys'], queryFn: () => api.keyList(), refetchInterval: REFRESH_MS })
