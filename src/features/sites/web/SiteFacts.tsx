import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useServerNames } from '#features/servers/web/use-servers.ts'
import type { Site } from '#features/sites/contract.ts'
import { useTimeZone } from '#web/session.ts'
import { bytesText } from '#web/ui/bytes.ts'
import { Card } from '#web/ui/Card.tsx'
import { Facts } from '#web/ui/Facts.tsx'
import { fullTime } from '#web/ui/time.ts'
import { Labels } from './Labels.tsx'
import { languageOf } from './new-site.ts'

export interface Use {
  memBytes: number | null
  memLimitBytes: number | null
  diskBytes: number | null
}

const memoryText = ({ memBytes, memLimitBytes }: Use): string | undefined => {
  if (memBytes === null) return undefined
  return memLimitBytes === null ? bytesText(memBytes) : `${bytesText(memBytes)} of ${bytesText(memLimitBytes)}`
}

const filesText = ({ diskBytes }: Use) => (diskBytes ? bytesText(diskBytes) : null)

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
    ['Files', use ? filesText(use) : COMING],
    ['Administrator', `${site.adminUser}, ${site.adminEmail}`],
    ['Language', languageOf(site.locale)],
    ['Created', fullTime(site.createdAt, timeZone)],
    ['Labels', site.labels.length > 0 ? <Labels key="labels" labels={site.labels} /> : null],
  ]
  return (
    <Card>
      <Facts facts={facts} />
    </Card>
  )
}
