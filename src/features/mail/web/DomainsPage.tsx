import { IconWorld } from '@tabler/icons-react'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { PhoneOnly } from '#web/kit/PhoneOnly.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import type { MailDomain } from '../domains/contract.ts'
import { DomainDrawer } from './DomainDrawer.tsx'
import { SyncKeys } from './ServersButton.tsx'
import { useMailDomains } from './use-mail.ts'
import { TABS, verdictWords } from './words.ts'

const CHECKS = [
  { id: 'spf', title: 'SPF' },
  { id: 'dkim', title: 'DKIM' },
  { id: 'dmarc', title: 'DMARC' },
] as const

const wordsOf = (domain: MailDomain): string =>
  CHECKS.map(({ id, title }) => `${title} ${verdictWords[domain[id].verdict].word}`).join(', ')

const COLUMNS: readonly Column<MailDomain>[] = [
  {
    id: 'domain',
    title: 'Domain',
    sort: ({ domain }) => domain,
    cell: domain => (
      <>
        <RowLink to={`?domain=${domain.domain}`}>{domain.domain}</RowLink>
        <PhoneOnly>
          <CellNote>{wordsOf(domain)}</CellNote>
        </PhoneOnly>
      </>
    ),
  },
  { id: 'sites', title: 'Sites', wide: true, cell: ({ siteSlugs }) => siteSlugs.join(', ') || 'None' },
  ...CHECKS.map(({ id, title }) => ({
    id,
    title,
    width: '7.5rem',
    wide: true,
    sort: (domain: MailDomain) => domain[id].verdict,
    cell: (domain: MailDomain) => <Status {...verdictWords[domain[id].verdict]} />,
  })),
]

const NoDomains = (
  <Empty icon={IconWorld} title="No domains yet">
    The domains of your sites appear here.
  </Empty>
)

/** SPF, DKIM and DMARC of every domain that sites send from. A row opens its records. */
export const DomainsPage = () => {
  const url = useUrlState()
  const query = useMailDomains()
  const open = query.data?.items.find(({ domain }) => domain === url.of('domain'))
  return (
    <Page
      title="Mail domains"
      about="What others check before they accept your mail."
      tabs={TABS}
      actions={<SyncKeys />}
    >
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {({ items }) => (
          <Table label="Domains" rows={items} columns={COLUMNS} idOf={({ domain }) => domain} empty={NoDomains} />
        )}
      </Loaded>
      {open && <DomainDrawer key={open.domain} domain={open} onClose={() => url.push({ domain: '' })} />}
    </Page>
  )
}
