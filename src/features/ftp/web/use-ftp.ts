import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const REFRESH_MS = 15_000
/** While the server catches up. */
const SOON_MS = 2_000

export const ftpKey = (slug: string) => ['sites', 'ftp', slug]

export const useFtp = (slug: string) =>
  useQuery({
    queryKey: ftpKey(slug),
    queryFn: () => api.siteFtp({ params: { slug } }),
    refetchInterval: ({ state: { data } }) =>
      data?.applied === false && data.status !== 'unreachable' ? SOON_MS : REFRESH_MS,
  })
