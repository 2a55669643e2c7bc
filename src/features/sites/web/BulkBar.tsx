import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { Confirm } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { SelectionBar } from '#web/kit/SelectionBar.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { BULK_ACTS, type BulkAct, type BulkCount, startAll } from './bulk.ts'
import { siteActions } from './can.ts'

const tellOutcome = ({ label }: BulkAct, { started, failed, problem }: BulkCount, skipped: number) =>
  showToast({
    tone: failed > 0 ? 'bad' : 'good',
    text: [
      `${label}: ${started} started`,
      skipped > 0 ? `, ${skipped} skipped` : '',
      failed > 0 ? `, ${failed} refused. ${problem?.message ?? ''}` : '.',
    ].join(''),
    link: { label: 'View jobs', to: '/jobs?status=queued,running' },
  })

interface BulkConfirmProps {
  act: BulkAct
  sites: readonly Site[]
  onClose: () => void
  onDone: () => void
}

/** Says for how many sites it is, and for how many not, before it begins. */
const BulkConfirm = ({ act, sites, onClose, onDone }: BulkConfirmProps) => {
  const queryClient = useQueryClient()
  const [count, setCount] = useState<BulkCount>()
  const can = useCan(siteActions)
  const suitable = sites.filter(site => can(act.does, site).isAllowed)
  const skipped = sites.length - suitable.length
  const run = async () => {
    const outcome = await startAll(act, suitable, setCount)
    tellOutcome(act, outcome, skipped)
    onDone()
    await queryClient.invalidateQueries()
  }
  const leftOut = `${counted(skipped, 'selected site')} skipped: busy with another job, or nothing to do.`
  return (
    <Confirm
      title={`${act.label} ${counted(suitable.length, 'site')}?`}
      verb={`${act.label} ${counted(suitable.length, 'site')}`}
      effects={[
        ...act.effects,
        'Starts one job per site. Jobs on the same server run one after another.',
        ...(skipped > 0 ? [leftOut] : []),
      ]}
      act={run}
      onClose={onClose}
    >
      {count && (
        <output>
          {count.started + count.failed} of {suitable.length} requested
        </output>
      )}
    </Confirm>
  )
}

/** What can be done to the selected sites. */
export const BulkBar = ({ sites, onClear }: { sites: readonly Site[]; onClear: () => void }) => {
  const can = useCan(siteActions)
  const [act, setAct] = useState<BulkAct>()
  if (sites.length === 0) return null
  return (
    <SelectionBar label="Selected sites" count={`${sites.length} selected`} onClear={onClear}>
      {BULK_ACTS.filter(({ does }) => can(does).isOffered).map(choice => (
        <Button
          key={choice.label}
          variant="default"
          size="xs"
          disabled={!sites.some(site => can(choice.does, site).isAllowed)}
          onClick={() => setAct(choice)}
        >
          {choice.label}
        </Button>
      ))}
      {act && <BulkConfirm act={act} sites={sites} onClose={() => setAct(undefined)} onDone={onClear} />}
    </SelectionBar>
  )
}
