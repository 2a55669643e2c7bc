import { IconShieldCheck } from '@tabler/icons-react'
import type { Site } from '#features/sites/contract.ts'
import { Choice } from '#web/kit/Choice.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { FINDING_STATUSES, type Finding } from '../contract.ts'
import { FindingDrawer } from './FindingDrawer.tsx'
import { ScanButton } from './ScanButton.tsx'
import type { TabData } from './use-scans.ts'
import { severityWords, statusWords } from './words.ts'

const RANK = ['confirmed', 'suspicious', 'notice']

const COLUMNS: readonly Column<Finding>[] = [
  {
    id: 'label',
    title: 'Finding',
    sort: ({ label }) => label,
    cell: ({ id, label, path }) => (
      <>
        <RowLink to={`?finding=${id}`}>{label}</RowLink>
        <CellNote>{path}</CellNote>
      </>
    ),
  },
  {
    id: 'severity',
    title: 'Severity',
    width: '9rem',
    sort: ({ severity }) => RANK.indexOf(severity),
    cell: ({ severity }) => <Status {...severityWords[severity]} />,
  },
  {
    id: 'item',
    title: 'Belongs to',
    width: '11rem',
    wide: true,
    cell: ({ item }) => (item === null ? '–' : item.kind === 'core' ? 'WordPress' : item.slug),
  },
]

const None = ({ status, wasScanned }: { status: Finding['status']; wasScanned: boolean }) => (
  <Empty
    icon={IconShieldCheck}
    title={wasScanned ? `No ${statusWords[status].toLowerCase()} findings` : 'Not scanned yet'}
  >
    {wasScanned
      ? 'Files are compared with those that were published, and the rest is checked for malware.'
      : 'Scan the site now, or wait for the nightly scan.'}
  </Empty>
)

/** What scans have found, by what became of it. */
export const Findings = ({ site, data }: { site: Site; data: TabData }) => {
  const url = useUrlState()
  const status = FINDING_STATUSES.find(each => each === url.of('status')) ?? 'open'
  const chosen = data.findings.find(({ id }) => id === url.of('finding'))
  const options = FINDING_STATUSES.map(value => ({ value, word: statusWords[value], count: data.counts[value] }))
  return (
    <Section title="Findings" actions={<ScanButton site={site} scan={data.scan} />}>
      <Choice
        label="Status"
        options={options}
        value={status}
        onChange={value => url.set({ status: value === 'open' ? '' : value })}
      />
      <Table
        label="Findings"
        rows={data.findings.filter(finding => finding.status === status)}
        columns={COLUMNS}
        idOf={({ id }) => id}
        nameOf={({ path }) => path}
        empty={<None status={status} wasScanned={data.scan.lastScan !== null} />}
      />
      {chosen && (
        <FindingDrawer
          key={chosen.id}
          {...{ site, scan: data.scan, finding: chosen }}
          onClose={() => url.push({ finding: '' })}
        />
      )}
    </Section>
  )
}
