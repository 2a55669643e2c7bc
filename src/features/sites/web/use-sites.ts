import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { monitor } from '#features/monitor/contract.ts'
import { monitorOptions } from '#features/servers/web/index.ts'
import { Problem } from '#platform/contract/problem.ts'
import { clientOf } from '#web/client/api.ts'
import { api } from './api.ts'

const REFRESH_MS = 30_000
const BUSY_MS = 3_000

/** Every site; filters work on this one answer. */
export const useSites = () =>
  useQuery({ queryKey: ['sites', 'list'], queryFn: () => api.siteList(), refetchInterval: REFRESH_MS })

export const siteOptions = (slug: string) =>
  queryOptions({ queryKey: ['sites', 'one', slug], queryFn: () => api.siteGet({ params: { slug } }) })

/** One site, looked at more often while a job works on it. */
export const useSite = (slug: string) =>
  useQuery({
    ...siteOptions(slug),
    refetchInterval: ({ state }) => (state.data?.jobId ? BUSY_MS : REFRESH_MS),
  })

/** What every site uses now, by its slug. */
export const useSiteUses = () =>
  useQuery({
    ...monitorOptions,
    select: ({ sites }) => new Map(sites.map(use => [use.slug, use])),
  })

/** What a new site can be made of, and where it could move. */
export const useSiteOptions = () =>
  useQuery({ queryKey: ['sites', 'options'], queryFn: () => api.siteOptions(), staleTime: REFRESH_MS })

/** What a site used in the last hours; nothing of one that was not measured yet. */
export const readHistory = async (slug: string, hours: number) => {
  try {
    return await clientOf(monitor).monitorSiteHistory({ params: { slug }, query: { hours } })
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return { stepSeconds: 60, points: [] }
    throw error
  }
}

export const useSiteHistory = (slug: string, hours: number) =>
  useQuery({
    queryKey: ['sites', 'history', slug, hours],
    queryFn: () => readHistory(slug, hours),
    refetchInterval: 2 * REFRESH_MS,
    placeholderData: keepPreviousData,
  })

export const useSiteTraffic = (slug: string, hours: number) =>
  useQuery({
    queryKey: ['sites', 'traffic', slug, hours],
    queryFn: () => api.siteTraffic({ params: { slug }, query: { hours } }),
    refetchInterval: 2 * REFRESH_MS,
    placeholderData: keepPreviousData,
  })

export const useSiteDomains = (slug: string) =>
  useQuery({
    queryKey: ['sites', 'domains', slug],
    queryFn: () => api.siteDomains({ params: { slug } }),
    refetchInterval: REFRESH_MS,
  })
