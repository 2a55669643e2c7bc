import { Button } from '@mantine/core'
import { IconShieldCheck, IconUser } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { Reply } from '#platform/contract/endpoint.ts'
import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Loaded } from '#web/kit/Loaded.tsx'
import { Page } from '#web/kit/Page.tsx'
import { Section } from '#web/kit/Section.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useUrlState } from '#web/kit/use-url-state.ts'
import { When } from '#web/kit/When.tsx'
import type { blocks, NeverBlock } from '../contract.ts'
import { NeverBlockDialog } from './AddressDialog.tsx'
import { api } from './api.ts'
import classes from './Blocks.module.css'
import { blockActions } from './can.ts'
import { securityTabs } from './tabs.ts'
import { useNeverBlock } from './use-blocks.ts'

const ASK = 'add'
type AdminAddress = Reply<(typeof blocks)['securityNeverBlockList']>['admins'][number]

const Remove = ({ entry: { id, address } }: { entry: NeverBlock }) => {
  const queryClient = useQueryClient()
  const remove = async () => {
    await api.securityNeverBlockDelete({ params: { id } })
    await queryClient.invalidateQueries({ queryKey: ['blocks'] })
    showToast({ tone: 'good', text: `${address} removed from the never-block list.` })
  }
  return (
    <ConfirmButton
      label="Remove"
      aria-label={`Remove ${address}`}
      ask={`remove-${id}`}
      title={`Remove ${address} from the list?`}
      verb="Remove"
      effects={['People and detection can block it again.']}
      act={remove}
    />
  )
}

const entryColumns = (now: number, mayRemove: boolean): readonly Column<NeverBlock>[] => [
  {
    id: 'address',
    title: 'Address',
    cell: ({ address, note }) => (
      <>
        {address}
        <CellNote>{note}</CellNote>
      </>
    ),
  },
  {
    id: 'since',
    title: 'Added',
    width: '12rem',
    wide: true,
    cell: ({ createdAt, createdBy }) => (
      <>
        <When at={createdAt} now={now} />
        <CellNote>{createdBy}</CellNote>
      </>
    ),
  },
  { id: 'remove', title: 'Actions', width: '8rem', align: 'end', cell: entry => mayRemove && <Remove entry={entry} /> },
]

const adminColumns = (now: number): readonly Column<AdminAddress>[] => [
  {
    id: 'admin-address',
    title: 'Address',
    cell: ({ address, adminName }) => (
      <>
        {address}
        <CellNote>{adminName}</CellNote>
      </>
    ),
  },
  { id: 'used', title: 'Last used', width: '10rem', cell: ({ lastUsedAt }) => <When at={lastUsedAt} now={now} /> },
]

/** Who is never blocked, whatever happens. */
export const NeverBlockPage = () => {
  const url = useUrlState()
  const query = useNeverBlock()
  const can = useCan(blockActions)
  const mayAdd = can('securityNeverBlockCreate').isOffered
  return (
    <Page
      title="Never blocked"
      about="The panel, its servers and trusted proxies are never blocked either."
      tabs={securityTabs}
      actions={
        mayAdd && (
          <Button size="sm" onClick={() => url.push({ ask: ASK })}>
            Add address
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ items, admins }) => (
          <div className={classes.stack}>
            <Section title="Your list">
              <Table
                label="Never blocked"
                rows={items}
                columns={entryColumns(query.dataUpdatedAt, can('securityNeverBlockDelete').isOffered)}
                idOf={({ id }) => id}
                empty={
                  <Empty icon={IconShieldCheck} title="No addresses yet">
                    Add the addresses of your office and of services that must always get through.
                  </Empty>
                }
              />
            </Section>
            <Section title="Admins" about="Addresses admins used in the last 30 days.">
              <Table
                label="Addresses of admins"
                rows={admins}
                columns={adminColumns(query.dataUpdatedAt)}
                idOf={({ address, adminName }) => `${address} ${adminName}`}
                empty={
                  <Empty icon={IconUser} title="No addresses">
                    Addresses appear here when admins sign in.
                  </Empty>
                }
              />
            </Section>
          </div>
        )}
      </Loaded>
      {mayAdd && url.of('ask') === ASK && <NeverBlockDialog onClose={() => url.push({ ask: '' })} />}
    </Page>
  )
}
