import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { JobButton } from '#web/client/JobButton.tsx'
import type { SiteScan } from '../contract.ts'
import { api } from './api.ts'
import { scanActions } from './can.ts'

export const ScanButton = ({ site, scan }: { site: Site; scan: SiteScan }) => {
  const verdict = useCan(scanActions)('siteScanStart', { site, scan })
  const start = () => api.siteScanStart({ params: { slug: site.slug } })
  return <JobButton label="Scan now" verdict={verdict} start={start} />
}
