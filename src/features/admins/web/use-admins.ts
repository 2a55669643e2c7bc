import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** The people who may sign in. */
export const useAdmins = () => useQuery({ queryKey: ['admins'], queryFn: () => api.adminList() })
