import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Site } from '#features/sites/contract.ts'
import { useServerNames } from '#web/client/servers.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { Card } from '#web/kit/Card.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { diskText, fileCountText } from './disk-text.ts'
import { Labels } from './Labels.tsx'
import { languageOf } from './new-site.ts'

export interface Use {
  memBytes: number | null
  memLimitBytes: number | null
}

const memoryText = ({ memBytes, memLimitBytes }: Use): string | undefined => {
  if (memBytes === null) return undefined
  return memLimitBytes === null ? bytesText(memBytes) : `${bytesText(memBytes)} of ${bytesText(memLimitBytes)}`
}

/** Keeps the place of what is not measured yet. */
const COMING = '…'

/** What a site is made of, at a glance. */
export const SiteFacts = ({ site, use }: { site: Site; use: Use | undefined }) => {
  const timeZone = useTimeZone()
  const serverName = useServerNames()
  const facts: [string, ReactNode][] = [
    [
      'Server',
      <Anchor key="server" component={Link} to={`/servers/${site.serverId}`} size="sm">
        {serverName(site.serverId)}
      </Anchor>,
    ],
    ['WordPress', site.wordpressVersion],
    ['PHP', site.phpVersion],
    ['Memory', use ? memoryText(use) : COMING],
    ['Disk', diskText(site.disk) ?? COMING],
    ['Files', fileCountText(site.disk) ?? COMING],
    ['Administrator', `${site.adminUser}, ${site.adminEmail}`],
    ['Language', languageOf(site.locale)],
    ['Created', minuteTime(site.createdAt, timeZone)],
    ['Labels', site.labels.length > 0 ? <Labels key="labels" labels={site.labels} /> : null],
  ]
  return (
    <Card>
      <Facts facts={facts} />
    </Card>
  )
}
