import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRegistry } from '#web/client/registry.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'

/** The parts that features registered, once each knows what it needs to be drawn. */
const useHomeParts = () => {
  const { home } = useRegistry()
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: ['home'],
    queryFn: async () => {
      const parts = await Promise.all(home.map(({ load }) => load()))
      // A part whose question fails says so itself.
      await Promise.allSettled(parts.map(async ({ prepare }) => prepare?.(queryClient)))
      return parts
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
}

/** What needs someone first, then how the fleet is, then what the panel did last: all at once, so that nothing is pushed down. */
export const HomePage = () => {
  const query = useHomeParts()
  return (
    <Page title="Home" actions={query.data?.map(({ Action }, index) => Action && <Action key={index} />)}>
      <Loaded query={query} skeleton={<Skeleton rows={2} height="9rem" />}>
        {parts => parts.map(({ Part }, index) => <Part key={index} />)}
      </Loaded>
    </Page>
  )
}
