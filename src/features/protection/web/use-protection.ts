import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const REFRESH_MS = 30_000

export const protectionKey = (slug: string) => ['sites', slug, 'security'] as const

export const useProtection = (slug: string) =>
  useQuery({ queryKey: protectionKey(slug), queryFn: () => api.siteSecurityGet({ params: { slug } }) })

export const useRefused = (slug: string, rule: string) =>
  useQuery({
    queryKey: ['sites', slug, 'security', 'refused', rule],
    queryFn: () => api.siteSecurityBlocked({ params: { slug }, query: { ...(rule !== '' && { rule }) } }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })

export const useSecurity = () =>
  useQuery({ queryKey: ['sites', 'security'], queryFn: () => api.securityOverview(), refetchInterval: REFRESH_MS })
