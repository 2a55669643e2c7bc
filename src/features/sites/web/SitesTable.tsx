import type { ReactNode } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { SignInIcon } from '#features/wordpress/web/index.ts'
import { useCan } from '#web/client/can.ts'
import { useServerNames } from '#web/client/servers.ts'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { BULK_ACTS } from './bulk.ts'
import { siteActions } from './can.ts'
import { Labels } from './Labels.tsx'
import classes from './SitesPage.module.css'
import { SiteUse } from './SiteUse.tsx'
import { siteStatus } from './status.ts'
import { useSiteUses } from './use-sites.ts'

const SiteCell = ({ slug, title, labels }: Site) => (
  <>
    <RowLink to={`/sites/${slug}`}>{title}</RowLink>
    <CellNote>
      {slug} <Labels labels={labels} />
    </CellNote>
  </>
)

const AddressCell = ({ url, hostnames }: Site) => (
  <>
    <a href={url} target="_blank" rel="noreferrer" className={classes.address}>
      {hostnames[0] ?? ''}
    </a>
    {hostnames.length > 1 && <CellNote>and {hostnames.length - 1} more</CellNote>}
  </>
)

const VersionsCell = ({ phpVersion, wordpressVersion }: Site) => (
  <>
    {wordpressVersion === null ? 'WordPress' : `WordPress ${wordpressVersion}`}
    <CellNote>PHP {phpVersion}</CellNote>
  </>
)

const SignInCell = (site: Site) => <SignInIcon site={site} />

const useColumns = (now: number): readonly Column<Site>[] => {
  const serverName = useServerNames()
  const { data: uses } = useSiteUses()
  const standing = (site: Site) => siteStatus(site, uses?.get(site.slug)?.up)
  const server = ({ serverId }: Site) => serverName(serverId)
  return [
    { id: 'site', title: 'Site', sort: ({ title }) => title, cell: SiteCell },
    {
      id: 'status',
      title: 'Status',
      width: '8rem',
      sort: site => standing(site).word,
      cell: site => <Status {...standing(site)} />,
    },
    { id: 'address', title: 'Address', wide: true, sort: ({ hostnames }) => hostnames[0] ?? '', cell: AddressCell },
    { id: 'server', title: 'Server', width: '8.5rem', wide: true, sort: server, cell: server },
    {
      id: 'versions',
      title: 'Versions',
      width: '9rem',
      wide: true,
      sort: ({ wordpressVersion }) => wordpressVersion ?? '',
      cell: VersionsCell,
    },
    {
      id: 'use',
      title: 'CPU and memory',
      width: '11rem',
      wide: true,
      sort: ({ slug }) => -(uses?.get(slug)?.cpuShare ?? 0),
      cell: site => <SiteUse site={site} use={uses?.get(site.slug)} now={now} />,
    },
    { id: 'sign-in', title: 'Sign in', width: '4.5rem', wide: true, align: 'end', cell: SignInCell },
  ]
}

interface SitesTableProps {
  sites: readonly Site[]
  /** When the sites were read. */
  now: number
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  empty: ReactNode
}

/** Sites, one row each. */
export const SitesTable = ({ sites, now, chosen, onChoose, empty }: SitesTableProps) => {
  const can = useCan(siteActions)
  return (
    <Table
      label="Sites"
      rows={sites}
      columns={useColumns(now)}
      idOf={({ slug }) => slug}
      nameOf={({ title }) => title}
      {...(BULK_ACTS.some(({ does }) => can(does).isOffered) && { selection: { chosen, onChange: onChoose } })}
      empty={empty}
    />
  )
}
