import { useQueryClient } from '@tanstack/react-query'
import { useCan } from '#web/client/can.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { Facts } from '#web/kit/Facts.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { When } from '#web/kit/When.tsx'
import type { CatalogPlugin, ZipCheck, ZipFinding } from '../contract.ts'
import { api } from './api.ts'
import { catalogActions } from './can.ts'
import { useCheck } from './use-plugins.ts'
import { checkInWords } from './words.ts'

const columns: readonly Column<ZipFinding>[] = [
  {
    id: 'path',
    title: 'File',
    cell: ({ path, line, detail }) => (
      <>
        {path}
        {line !== null && `, line ${line}`}
        {detail !== null && (
          <CellNote>
            <code>{detail}</code>
          </CellNote>
        )}
      </>
    ),
  },
  {
    id: 'label',
    title: 'Finding',
    width: '45%',
    cell: ({ label, severity }) => (
      <>
        <Status tone={severity === 'confirmed' ? 'bad' : 'warning'} word={label} />
        <CellNote>{severity === 'confirmed' ? 'Malware' : 'Suspicious'}</CellNote>
      </>
    ),
  },
]

const factsOf = (check: ZipCheck) =>
  [
    ['Result', <Status key="result" {...checkInWords(check)} />],
    ['Version', check.version],
    ['Files', check.files],
    ['Flagged', check.flagged === 0 ? 'None' : counted(check.flagged, 'file')],
    ['Checked', check.checkedAt === null ? 'Not yet' : <When key="at" at={check.checkedAt} now={Date.now()} />],
    ['Problem', check.problem],
  ] as const

const Review = ({ plugin }: { plugin: CatalogPlugin }) => {
  const { isOffered, reason } = useCan(catalogActions)('pluginReview', plugin)
  const queryClient = useQueryClient()
  const accept = async () => {
    await api.pluginReview({ params: { id: plugin.id } })
    await queryClient.invalidateQueries({ queryKey: ['plugins'] })
  }
  return (
    isOffered && (
      <ConfirmButton
        label="Accept findings"
        ask="review"
        refusal={reason}
        title={`Accept what was found in ${plugin.name}?`}
        verb="Accept findings"
        effects={[
          'The files count as the plugin’s own, and sites can get this version.',
          'Unchanged copies on sites are no longer reported.',
          'A check that finds anything else asks again.',
        ]}
        act={accept}
      />
    )
  )
}

/** What the check of the newest zip found, and the review of it. */
export const CheckResult = ({ plugin }: { plugin: CatalogPlugin }) => {
  const query = useCheck(plugin.id)
  return (
    <Section title="Check of the newest zip" actions={<Review plugin={plugin} />}>
      <Loaded query={query}>
        {({ check, findings }) => (
          <>
            {check && (
              <Card>
                <Facts facts={factsOf(check)} />
              </Card>
            )}
            {findings.length > 0 && (
              <Table
                label="Findings"
                rows={findings}
                columns={columns}
                idOf={({ path, rule, line }) => [path, rule, line].join(' ')}
                empty={null}
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}
