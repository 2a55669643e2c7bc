import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { AttentionList } from './AttentionList.tsx'
import { api } from './api.ts'

const REFRESH_MS = 15_000

const overviewOptions = queryOptions({ queryKey: ['overview'], queryFn: () => api.overview() })

export const prepare = (queryClient: QueryClient) => queryClient.ensureQueryData(overviewOptions)

/** What needs someone, on Home. */
export const Part = () => {
  const overview = useQuery({ ...overviewOptions, refetchInterval: REFRESH_MS })
  return (
    <Section title="Needs attention">
      <Loaded query={overview}>{overview => <AttentionList {...overview} />}</Loaded>
    </Section>
  )
}
