import { NativeSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { counted } from '#web/kit/counted.ts'
import { SelectionBar } from '#web/kit/SelectionBar.tsx'
import { showToast } from '#web/kit/toasts.ts'
import type { InventoryRow } from '../contract.ts'
import { api } from './api.ts'
import { targetsOf } from './targets.ts'

const MODES = [
  {
    value: 'backup',
    label: 'Back up first, check after',
    backupFirst: true,
    healthCheck: true,
    effect: 'Each site is backed up first, and checked after each update. An update that breaks it is rolled back.',
  },
  {
    value: 'check',
    label: 'Check after',
    backupFirst: false,
    healthCheck: true,
    effect: 'Each site is checked after each update. An update that breaks it is rolled back.',
  },
  {
    value: 'quick',
    label: 'Quick, no checks',
    backupFirst: false,
    healthCheck: false,
    effect: 'Sites are not checked. An update that breaks a site stays.',
  },
] as const

/** Updates what is selected on every site that has an update for it. */
export const UpdateBar = ({ rows, onClear }: { rows: readonly InventoryRow[]; onClear: () => void }) => {
  const [mode, setMode] = useState<string>('backup')
  const { backupFirst, healthCheck, effect } = MODES.find(({ value }) => value === mode) ?? MODES[0]
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const targets = targetsOf(rows)
  if (rows.length === 0) return null
  const sites = counted(targets.length, 'site')
  const start = async () => {
    const body = { targets, backupFirst, healthCheck }
    const { batchId, skipped } = await api.wpFleetBulk({ body })
    void queryClient.invalidateQueries()
    if (skipped.length > 0)
      showToast({ tone: 'bad', text: `${counted(skipped.length, 'site')} skipped. ${skipped[0]?.reason ?? ''}` })
    onClear()
    void navigate(`/updates/${batchId}`)
  }
  return (
    <SelectionBar label="Selected updates" count={`${rows.length} selected`} onClear={onClear}>
      <ConfirmButton
        label={`Update on ${sites}`}
        ask="update"
        variant="filled"
        refusal={targets.length === 0 ? 'Nothing selected has an update.' : undefined}
        title={`Update ${counted(rows.length, 'item')} on ${sites}?`}
        verb={`Update ${sites}`}
        effects={['Starts one job per site. Sites on different servers are updated side by side.', effect]}
        act={start}
      >
        <NativeSelect
          label="Mode"
          data={MODES.map(({ value, label }) => ({ value, label }))}
          value={mode}
          onChange={event => setMode(event.currentTarget.value)}
        />
      </ConfirmButton>
    </SelectionBar>
  )
}
