import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** The settings of the whole panel. */
export const settingsOptions = queryOptions({ queryKey: ['settings'], queryFn: () => api.settingsGet() })
