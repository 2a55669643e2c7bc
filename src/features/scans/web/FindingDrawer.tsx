import type { Site } from '#features/sites/contract.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { Status } from '#web/kit/Status.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import type { Finding, SiteScan } from '../contract.ts'
import { FindingActs } from './FindingActs.tsx'
import classes from './ScansTab.module.css'
import { kindWords, severityWords, statusWords } from './words.ts'

interface FindingDrawerProps {
  site: Site
  scan: SiteScan
  finding: Finding
  onClose: () => void
}

/** One finding next to the list: where it is, what is there, and what can be done. */
export const FindingDrawer = ({ site, scan, finding, onClose }: FindingDrawerProps) => {
  const timeZone = useTimeZone()
  const { item } = finding
  return (
    <Dialog kind="side" title={finding.label} onClose={onClose}>
      <div className={classes.acts}>
        <Facts
          facts={[
            [
              'File',
              <span key="path" className={classes.path}>
                {finding.path}
              </span>,
            ],
            ['Severity', <Status key="severity" {...severityWords[finding.severity]} />],
            ['Status', statusWords[finding.status]],
            ['Kind', kindWords[finding.kind]],
            ['Belongs to', item && (item.kind === 'core' ? 'WordPress' : item.slug)],
            ['Version', item?.version],
            ['Line', finding.line],
            ['Size', bytesText(finding.sizeBytes)],
            ['Changed', minuteTime(finding.modifiedAt, timeZone)],
            ['First found', minuteTime(finding.firstSeenAt, timeZone)],
            ['Rule', finding.rule],
          ]}
        />
        {finding.excerpt && <pre className={classes.excerpt}>{finding.excerpt}</pre>}
        <FindingActs site={site} scan={scan} finding={finding} />
      </div>
    </Dialog>
  )
}
