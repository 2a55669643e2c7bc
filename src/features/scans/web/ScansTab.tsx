import type { Site } from '#features/sites/contract.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Findings } from './Findings.tsx'
import { History } from './History.tsx'
import { Quarantine } from './Quarantine.tsx'
import { ScanSettings } from './ScanSettings.tsx'
import { useSiteScan } from './use-scans.ts'

/** Malware scans of a site: what they found, what becomes of it, and what was moved out of the site. */
export const ScansTab = ({ site }: { site: Site }) => {
  const query = useSiteScan(site.slug)
  return (
    <Loaded query={query} skeleton={<Skeleton rows={4} height="4rem" />}>
      {data => (
        <>
          <Findings site={site} data={data} />
          <Quarantine site={site} items={data.quarantine} now={query.dataUpdatedAt} />
          <ScanSettings site={site} scan={data.scan} />
          <History scans={data.history} />
        </>
      )}
    </Loaded>
  )
}
