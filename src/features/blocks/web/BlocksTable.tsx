import { IconShieldLock } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCan } from '#web/client/can.ts'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Empty } from '#web/kit/Empty.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, Table } from '#web/kit/Table.tsx'
import { minuteTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import { showToast } from '#web/kit/toasts.ts'
import { When } from '#web/kit/When.tsx'
import type { SecurityBlock } from '../contract.ts'
import { api } from './api.ts'
import classes from './Blocks.module.css'
import { blockActions } from './can.ts'
import { BLOCK_WORDS, REASON_WORDS } from './words.ts'

const Lift = ({ block: { id, address, siteSlug } }: { block: SecurityBlock }) => {
  const queryClient = useQueryClient()
  const lift = async () => {
    await api.securityBlockLift({ params: { id } })
    await queryClient.invalidateQueries({ queryKey: ['blocks'] })
    showToast({ tone: 'good', text: `${address} is no longer blocked.` })
  }
  return (
    <ConfirmButton
      label="Lift"
      aria-label={`Lift the block of ${address}`}
      ask={`lift-${id}`}
      title={`Lift the block of ${address}?`}
      verb="Lift block"
      effects={[
        siteSlug === null
          ? 'It can reach every server again within seconds.'
          : `It can reach ${siteSlug} again within seconds.`,
        'Detection does not count this block as a repeat.',
      ]}
      act={lift}
    />
  )
}

const Why = ({ block: { note, reason, createdBy } }: { block: SecurityBlock }) => (
  <>
    {note === '' ? (reason ? REASON_WORDS[reason] : 'No note') : note}
    <CellNote>{reason ? `Detection: ${REASON_WORDS[reason]}` : createdBy}</CellNote>
  </>
)

const End = ({ block, now }: { block: SecurityBlock; now: number }) => {
  const timeZone = useTimeZone()
  const at = block.liftedAt ?? block.expiresAt
  const end = at !== null && at > now ? `Until ${minuteTime(at, timeZone)}` : undefined
  return (
    <>
      <Status {...BLOCK_WORDS[block.state]} />
      <CellNote>
        {at === null ? 'Until lifted' : (end ?? <When at={at} now={now} />)}
        {block.liftedBy !== null && ` by ${block.liftedBy}`}
      </CellNote>
    </>
  )
}

const columnsAt = (now: number, mayLift: (block: SecurityBlock) => boolean): readonly Column<SecurityBlock>[] => [
  {
    id: 'address',
    title: 'Address',
    cell: ({ address, siteSlug }) => (
      <>
        <span className={classes.whole}>{address}</span>
        <CellNote>{siteSlug === null ? 'All servers' : `Only ${siteSlug}`}</CellNote>
      </>
    ),
  },
  { id: 'why', title: 'Why', wide: true, cell: block => <Why block={block} /> },
  {
    id: 'since',
    title: 'Since',
    width: '8rem',
    wide: true,
    cell: ({ createdAt }) => <When at={createdAt} now={now} />,
  },
  { id: 'end', title: 'Status', cell: block => <End block={block} now={now} /> },
  {
    id: 'lift',
    title: 'Actions',
    width: '6rem',
    align: 'end',
    cell: block => mayLift(block) && <Lift block={block} />,
  },
]

interface BlocksTableProps {
  items: readonly SecurityBlock[]
  now: number
  isFiltered: boolean
  more: ReactNode
}

export const BlocksTable = ({ items, now, isFiltered, more }: BlocksTableProps) => {
  const can = useCan(blockActions)
  return (
    <Table
      label="Blocked addresses"
      rows={items}
      columns={columnsAt(now, block => can('securityBlockLift', block).isOffered)}
      idOf={({ id }) => id}
      more={more}
      empty={
        <Empty icon={IconShieldLock} title={isFiltered ? 'No matching blocks' : 'No blocked addresses'}>
          {isFiltered ? 'Change or reset the filters.' : 'Block an address here, or let detection do it.'}
        </Empty>
      }
    />
  )
}
