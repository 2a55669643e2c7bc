import { DnsRecords } from './DnsRecords.tsx'
import { namesIn } from './new-site.ts'
import { useDnsCheck } from './use-dns-check.ts'

/** Checks DNS while domains are typed, and shows the records that are missing. */
export const DnsCheck = ({ serverId, domains }: { serverId: number; domains: string }) => {
  const data = useDnsCheck(serverId, namesIn(domains))
  return data ? <DnsRecords records={data.records} addresses={data.serverAddresses} /> : null
}
