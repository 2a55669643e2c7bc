import { NativeSelect } from '@mantine/core'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { ActRow } from '#web/kit/ActRow.tsx'
import { Card } from '#web/kit/Card.tsx'
import { Section } from '#web/kit/Section.tsx'
import { ON_FINDING, type SiteScan } from '../contract.ts'
import { api } from './api.ts'
import { scanActions } from './can.ts'
import { useAct } from './use-scans.ts'
import { onFindingWords } from './words.ts'

const SWITCHES = { '': 'Same as all sites', on: 'On', off: 'Off' } as const
const valueOf = (enabled: boolean | null) => (enabled === null ? '' : enabled ? 'on' : 'off')

/** Whether a site is scanned by itself, and what happens to findings. */
export const ScanSettings = ({ site, scan }: { site: Site; scan: SiteScan }) => {
  const change = useAct('Scan settings saved.')
  const isLocked = !useCan(scanActions)('siteScanSettings').isOffered || change.isPending
  const params = { slug: site.slug }
  const save = (body: NonNullable<Parameters<typeof api.siteScanSettings>[0]['body']>) =>
    change.mutate(() => api.siteScanSettings({ params, body }))
  const { enabled, onFinding } = scan.effective
  return (
    <Section title="Settings" about="When scans run is set in Schedules; settings of all sites are in Settings.">
      <Card flush>
        <ActRow
          title="Scheduled scans"
          about={enabled ? 'Schedules scan this site.' : 'Schedules leave this site out.'}
        >
          <NativeSelect
            aria-label="Scheduled scans"
            disabled={isLocked}
            value={valueOf(scan.enabled)}
            data={Object.entries(SWITCHES).map(([value, label]) => ({ value, label }))}
            onChange={({ currentTarget: { value } }) => save({ enabled: value === '' ? null : value === 'on' })}
          />
        </ActRow>
        <ActRow
          title="When malware is found"
          about={`${onFindingWords[onFinding]}. Files that the site needs are never moved by themselves.`}
        >
          <NativeSelect
            aria-label="When malware is found"
            disabled={isLocked}
            value={scan.onFinding ?? ''}
            data={[
              { value: '', label: 'Same as all sites' },
              ...ON_FINDING.map(value => ({ value, label: onFindingWords[value] })),
            ]}
            onChange={({ currentTarget: { value } }) =>
              save({ onFinding: ON_FINDING.find(each => each === value) ?? null })
            }
          />
        </ActRow>
      </Card>
    </Section>
  )
}
