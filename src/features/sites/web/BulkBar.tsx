import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { counted } from '#web/ui/counted.ts'
import { showToast } from '#web/ui/toasts.ts'
import classes from './BulkBar.module.css'
import { BULK_ACTS, type BulkAct, type BulkCount, startAll } from './bulk.ts'

const tellOutcome = ({ label }: BulkAct, { started, failed, problem }: BulkCount, skipped: number) =>
  showToast({
    tone: failed > 0 ? 'bad' : 'good',
    text: [
      `${label}: ${started} started`,
      skipped > 0 ? `, ${skipped} left out` : '',
      failed > 0 ? `, ${failed} refused. ${problem?.message ?? ''}` : '.',
    ].join(''),
    link: { label: 'See the jobs', to: '/jobs?status=queued,running' },
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
  const suitable = sites.filter(act.suits)
  const skipped = sites.length - suitable.length
  const run = async () => {
    const outcome = await startAll(act, suitable, setCount)
    tellOutcome(act, outcome, skipped)
    onDone()
    await queryClient.invalidateQueries()
  }
  const leftOut = `${counted(skipped, 'site')} of those chosen are left out: a job works on them, or there is nothing to do.`
  return (
    <Confirm
      title={`${act.label} ${counted(suitable.length, 'site')}?`}
      verb={`${act.label} ${counted(suitable.length, 'site')}`}
      effects={[
        ...act.effects,
        'One job each; on one server they run one after the other.',
        ...(skipped > 0 ? [leftOut] : []),
      ]}
      act={run}
      onClose={onClose}
    >
      {count && (
        <output>
          {count.started + count.failed} of {suitable.length} asked for
        </output>
      )}
    </Confirm>
  )
}

/** What can be done to the chosen sites. */
export const BulkBar = ({ sites, onClear }: { sites: readonly Site[]; onClear: () => void }) => {
  const [act, setAct] = useState<BulkAct>()
  if (sites.length === 0) return null
  return (
    <section className={classes.bar} aria-label="Chosen sites">
      <output className={classes.count}>{counted(sites.length, 'site')} chosen</output>
      {BULK_ACTS.map(choice => (
        <Button
          key={choice.label}
          variant="default"
          size="xs"
          disabled={!sites.some(choice.suits)}
          onClick={() => setAct(choice)}
        >
          {choice.label}
        </Button>
      ))}
      <Button variant="subtle" size="xs" onClick={onClear}>
        Choose none
      </Button>
      {act && <BulkConfirm act={act} sites={sites} onClose={() => setAct(undefined)} onDone={onClear} />}
    </section>
  )
}
