import { Alert, Anchor, Button } from '@mantine/core'
import { IconAlertTriangle, IconFilterOff, IconShield } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { CheckBox, securityTabs } from '#features/blocks/web/index.ts'
import { useCan } from '#web/client/can.ts'
import { useServerNames } from '#web/client/servers.ts'
import { Card } from '#web/kit/Card.tsx'
import { counted, countText } from '#web/kit/counted.ts'
import { Empty } from '#web/kit/Empty.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { FilterBar } from '#web/kit/FilterBar.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useFilters } from '#web/kit/use-filters.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { LEVELS, type SecurityOverview, type SecuritySite } from '../contract.ts'
import { api } from './api.ts'
import { protectionActions } from './can.ts'
import { useSecurity } from './use-protection.ts'
import { levelWords } from './words.ts'

const LevelCell = ({ effectiveLevel, level, overrides, customRules }: SecuritySite) => {
  const notes = [
    level === null && 'Fleet default',
    overrides > 0 && counted(overrides, 'changed row'),
    customRules > 0 && counted(customRules, 'custom rule'),
  ].filter(note => note !== false)
  return (
    <>
      <Status {...levelWords[effectiveLevel]} />
      {notes.length > 0 && <CellNote>{notes.join(', ')}</CellNote>}
    </>
  )
}

const FindingsCell = ({ openFindings, confirmedFindings }: Pick<SecuritySite, 'openFindings' | 'confirmedFindings'>) =>
  openFindings === 0 ? (
    'None'
  ) : (
    <Status tone={confirmedFindings > 0 ? 'bad' : 'warning'} word={`${openFindings} open`} />
  )

const useColumns = (): readonly Column<SecuritySite>[] => {
  const serverName = useServerNames()
  const server = ({ serverId }: SecuritySite) => serverName(serverId)
  return [
    {
      id: 'site',
      title: 'Site',
      sort: ({ title }) => title,
      cell: ({ slug, title }) => (
        <>
          <RowLink to={`/sites/${slug}/protection`}>{title}</RowLink>
          <CellNote>{slug}</CellNote>
        </>
      ),
    },
    { id: 'level', title: 'Protection', sort: row => LEVELS.indexOf(row.effectiveLevel), cell: LevelCell },
    {
      id: 'refused',
      title: 'Refused, 24 h',
      width: '9rem',
      align: 'end',
      sort: ({ blocked24h }) => -blocked24h,
      cell: ({ blocked24h, blocked7d }) => (
        <>
          {blocked24h.toLocaleString('en')}
          <CellNote>{blocked7d.toLocaleString('en')} in 7 days</CellNote>
        </>
      ),
    },
    {
      id: 'findings',
      title: 'Findings',
      width: '8rem',
      wide: true,
      sort: ({ openFindings }) => -openFindings,
      cell: FindingsCell,
    },
    { id: 'server', title: 'Server', width: '9rem', wide: true, sort: server, cell: server },
  ]
}

const Problems = ({ servers }: { servers: SecurityOverview['servers'] }) =>
  servers
    .filter(({ problem }) => problem !== null)
    .map(({ id, name, problem }) => (
      <Alert key={id} color="red" variant="light" icon={<IconAlertTriangle aria-hidden="true" />} title={name}>
        The current rules could not be loaded: {problem}
      </Alert>
    ))

const SyncButton = () => {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.securitySync(),
    onSuccess: overview => {
      queryClient.setQueryData(['sites', 'security'], overview)
      showToast({ tone: 'good', text: 'Every server was brought up to date.' })
    },
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
      Sync servers
    </Button>
  )
}

const Sites = ({ overview }: { overview: SecurityOverview }) => {
  const filters = useFilters(['q', 'level'] as const)
  const q = filters.q.trim().toLowerCase()
  const shown = overview.sites.filter(
    ({ slug, title, effectiveLevel }) =>
      [slug, title].some(text => text.toLowerCase().includes(q)) &&
      (filters.level === '' || effectiveLevel === filters.level),
  )
  const options = LEVELS.map(value => ({ value, label: `${levelWords[value].word} (${overview.levels[value]})` }))
  const isNone = overview.sites.length === 0
  return (
    <>
      <FilterBar
        filters={filters}
        search={{ label: 'Search sites', placeholder: 'Search by title or name' }}
        fields={[{ kind: 'choice', name: 'level', label: 'Protection', all: 'Any level', options }]}
        count={counted(shown.length, 'site')}
      />
      <Table
        label="Sites"
        rows={shown}
        columns={useColumns()}
        idOf={({ slug }) => slug}
        empty={
          <Empty icon={isNone ? IconShield : IconFilterOff} title={isNone ? 'No sites yet' : 'No matching sites'}>
            {isNone ? 'Every new site is protected from its first visitor.' : 'Change or reset the filters.'}
          </Empty>
        }
      />
    </>
  )
}

const levelsText = ({ levels }: SecurityOverview): string =>
  LEVELS.filter(level => levels[level] > 0)
    .map(level => `${countText(levels[level])} ${levelWords[level].word.toLowerCase()}`)
    .join(', ')

const Numbers = ({ overview }: { overview: SecurityOverview }) => {
  const { blocked24h, openFindings, confirmedFindings, activeBlocks } = overview
  return (
    <Card>
      <Facts
        facts={[
          ['Protection', levelsText(overview) || 'No sites yet'],
          ['Refused, 24 h', counted(blocked24h, 'request')],
          ['Open findings', <FindingsCell key="findings" {...{ openFindings, confirmedFindings }} />],
          [
            'Blocked',
            activeBlocks === null ? undefined : (
              <Anchor key="blocks" component={Link} to="/security/blocks" size="sm">
                {activeBlocks === 1 ? '1 address' : `${countText(activeBlocks)} addresses`}
              </Anchor>
            ),
          ],
        ]}
      />
    </Card>
  )
}

/** The fleet's security at a glance: how every site is protected, what was refused and found, and who is blocked. */
export const SecurityPage = () => {
  const url = useUrlState()
  const query = useSecurity()
  const can = useCan(protectionActions)
  return (
    <Page
      title="Security"
      about="Protection of every site. Sites without a level of their own follow the fleet default in the settings."
      tabs={securityTabs}
      actions={can('securitySync').isOffered && <SyncButton />}
    >
      <CheckBox key={url.of('check')} />
      <Loaded query={query} skeleton={<Skeleton rows={8} />}>
        {overview => (
          <>
            <Numbers overview={overview} />
            <Problems servers={overview.servers} />
            <Sites overview={overview} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
