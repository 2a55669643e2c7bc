import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { sites } from '#features/sites/contract.ts'
import { api } from './api.ts'

const PAUSE_MS = 400
const CHECK_EVERY_MS = 10_000

/** What DNS says about names while they are typed; undefined while there are none. */
export const useDnsCheck = (serverId: number, names: readonly string[]) => {
  const [settled] = useDebouncedValue(names.join(','), PAUSE_MS)
  const query = { serverId, domains: settled }
  const isAskable = settled !== '' && sites.siteDnsCheck.query.safeParse(query).success
  const { data } = useQuery({
    queryKey: ['sites', 'dns-check', query],
    queryFn: () => api.siteDnsCheck({ query }),
    enabled: isAskable,
    refetchInterval: CHECK_EVERY_MS,
    placeholderData: keepPreviousData,
  })
  return isAskable ? data : undefined
}
