import { Group } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Section } from '#web/kit/Section.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { When } from '#web/kit/When.tsx'
import type { QuarantineItem } from '../contract.ts'
import { api } from './api.ts'
import { scanActions } from './can.ts'
import { itemWords } from './words.ts'

const ItemActs = ({ site, item }: { site: Site; item: QuarantineItem }) => {
  const can = useCan(scanActions)
  const queryClient = useQueryClient()
  const [restore, remove] = [can('quarantineRestore', { site, item }), can('quarantineDelete', { site, item })]
  const params = { slug: site.slug, id: item.id }
  const act = async (asked: Promise<unknown>) => {
    await asked
    await queryClient.invalidateQueries({ queryKey: ['scans'] })
  }
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {restore.isOffered && (
        <ConfirmButton
          label="Restore"
          ask={`restore-${item.id}`}
          aria-label={`Restore ${item.path}`}
          refusal={restore.reason}
          title={`Restore ${item.path}?`}
          verb="Restore file"
          effects={['The file is where it was, and can run again.', 'Its findings are ignored until it changes.']}
          act={() => act(api.quarantineRestore({ params }))}
        />
      )}
      {remove.isOffered && (
        <ConfirmButton
          label="Delete"
          ask={`delete-${item.id}`}
          aria-label={`Delete ${item.path}`}
          title={`Delete ${item.path}?`}
          verb="Delete file"
          effects={["The file is deleted permanently. It can't be restored."]}
          act={() => act(api.quarantineDelete({ params }))}
        />
      )}
    </Group>
  )
}

const columnsOf = (site: Site, now: number): readonly Column<QuarantineItem>[] => [
  {
    id: 'file',
    title: 'File',
    cell: ({ path, label }) => (
      <>
        {path}
        <CellNote>{label}</CellNote>
      </>
    ),
  },
  {
    id: 'state',
    title: 'Status',
    width: '10rem',
    wide: true,
    cell: ({ status }) => <Status {...itemWords[status]} />,
  },
  {
    id: 'moved',
    title: 'Moved',
    width: '11rem',
    wide: true,
    cell: ({ createdAt, by }) => (
      <>
        <When at={createdAt} now={now} />
        <CellNote>{by}</CellNote>
      </>
    ),
  },
  { id: 'acts', title: 'Actions', width: '12rem', align: 'end', cell: item => <ItemActs site={site} item={item} /> },
]

interface QuarantineProps {
  site: Site
  items: readonly QuarantineItem[]
  now: number
}

/** Files that were moved out of the site. */
export const Quarantine = ({ site, items, now }: QuarantineProps) => (
  <Section title="Quarantine" about="Files that were moved out of the site. They can't run.">
    <Table
      label="Files in quarantine"
      rows={items}
      columns={columnsOf(site, now)}
      idOf={({ id }) => id}
      nameOf={({ path }) => path}
      empty={
        <Empty icon={IconShieldCheck} title="No files in quarantine">
          A file that you quarantine can be restored from here.
        </Empty>
      }
    />
  </Section>
)
