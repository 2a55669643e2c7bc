import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { sites } from '#features/sites/contract.ts'
import { api } from './api.ts'
import { DnsRecords } from './DnsRecords.tsx'
import { namesIn } from './new-site.ts'

const PAUSE_MS = 400
const CHECK_EVERY_MS = 10_000

/** Checks DNS while domains are typed, and shows the records that are missing. */
export const DnsCheck = ({ serverId, domains }: { serverId: number; domains: string }) => {
  const [settled] = useDebouncedValue(domains, PAUSE_MS)
  const names = namesIn(settled)
  const query = { serverId, domains: names.join(',') }
  const isAskable = names.length > 0 && sites.siteDnsCheck.query.safeParse(query).success
  const { data } = useQuery({
    queryKey: ['sites', 'dns-check', query],
    queryFn: () => api.siteDnsCheck({ query }),
    enabled: isAskable,
    refetchInterval: CHECK_EVERY_MS,
    placeholderData: keepPreviousData,
  })
  return isAskable && data ? <DnsRecords records={data.records} addresses={data.serverAddresses} /> : null
}
