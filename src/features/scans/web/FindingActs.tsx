import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan, type Verdict } from '#web/client/can.ts'
import { useFollowJob } from '#web/client/use-follow-job.ts'
import { ActRow } from '#web/kit/ActRow.tsx'
import { Card } from '#web/kit/Card.tsx'
import { refused } from '#web/kit/refused.ts'
import type { Finding, SiteScan } from '../contract.ts'
import { api } from './api.ts'
import { scanActions } from './can.ts'
import { useAct } from './use-scans.ts'

interface ActProps {
  verdict: Verdict
  title: string
  about: ReactNode
  done: string
  act: () => Promise<unknown>
}

const Act = ({ verdict, title, about, done, act }: ActProps) => {
  const acting = useAct(done)
  return (
    verdict.isOffered && (
      <ActRow title={title} about={about}>
        <Button
          variant="default"
          size="xs"
          {...refused(verdict.reason)}
          loading={acting.isPending}
          onClick={() => verdict.isAllowed && acting.mutate(act)}
        >
          {title}
        </Button>
      </ActRow>
    )
  )
}

const nameOf = ({ item }: Finding) =>
  item?.kind === 'core' ? `WordPress ${item.version}` : `${item?.slug} ${item?.version}`

/** What can be done about a finding, and what each of it does. */
export const FindingActs = ({ site, scan, finding }: { site: Site; scan: SiteScan; finding: Finding }) => {
  const can = useCan(scanActions)
  const follow = useFollowJob()
  const verdict = (id: Parameters<typeof can>[0]) => can(id, { site, scan, finding })
  const params = { slug: site.slug, id: finding.id }
  return (
    <Card flush>
      <Act
        verdict={verdict('findingReinstall')}
        title="Reinstall"
        about={`Downloads ${nameOf(finding)} again and replaces all of its files. Then the site is scanned again.`}
        done={`${nameOf(finding)} is being reinstalled.`}
        act={() => follow(api.findingReinstall({ params }))}
      />
      <Act
        verdict={verdict('findingPutBack')}
        title="Restore"
        about="Writes the file again as the panel wrote it. Changes to it are lost. Then the site is scanned again."
        done="The file is being restored."
        act={() => follow(api.findingPutBack({ params }))}
      />
      <Act
        verdict={verdict('findingQuarantine')}
        title="Quarantine"
        about="Moves the file out of the site. It no longer runs, and you can restore it."
        done="The file is in quarantine."
        act={() => api.findingQuarantine({ params })}
      />
      <Act
        verdict={verdict('findingIgnore')}
        title="Ignore"
        about="The file stays. You hear of it again only when it changes."
        done="The finding is ignored."
        act={() => api.findingIgnore({ params })}
      />
      <Act
        verdict={verdict('findingResolve')}
        title="Resolve"
        about="You have fixed it. The next scan opens it again if it is still there."
        done="The finding is resolved."
        act={() => api.findingResolve({ params })}
      />
      <Act
        verdict={verdict('findingUnignore')}
        title="Open again"
        about="The finding counts again."
        done="The finding is open again."
        act={() => api.findingUnignore({ params })}
      />
    </Card>
  )
}
