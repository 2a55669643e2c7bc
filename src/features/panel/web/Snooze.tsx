import { ActionIcon, Button } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Attention } from '#features/panel/contract.ts'
import { Choice } from '#web/kit/Choice.tsx'
import { Confirm } from '#web/kit/Confirm.tsx'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import classes from './AttentionList.module.css'
import { api } from './api.ts'

const SPANS = [
  { value: '1', word: '1 hour' },
  { value: '24', word: '1 day' },
  { value: '168', word: '1 week' },
] as const

const useRefresh = () => {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: ['overview'] })
}

const SnoozeDialog = ({ item, onClose }: { item: Attention; onClose: () => void }) => {
  const [hours, setHours] = useState<string>(SPANS[1].value)
  const refresh = useRefresh()
  const snooze = async () => {
    await api.attentionSnooze({ params: { id: item.id }, body: { hours: Number(hours) } })
    await refresh()
  }
  return (
    <Confirm
      title={`Snooze “${item.title}”?`}
      effects={['It is hidden from your Home only.', 'It comes back early if it gets worse.']}
      verb="Snooze"
      act={snooze}
      onClose={onClose}
    >
      <Choice label="For" options={SPANS} value={hours} onChange={setHours} />
    </Confirm>
  )
}

/** Hides an item for a while. */
export const SnoozeButton = ({ item }: { item: Attention }) => {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="dimmed"
        size={30}
        className={classes.snooze ?? ''}
        aria-label={`Snooze: ${item.title}`}
        title="Snooze"
        onClick={() => setIsAsking(true)}
      >
        <IconBellOff size={16} aria-hidden="true" />
      </ActionIcon>
      {isAsking && <SnoozeDialog item={item} onClose={() => setIsAsking(false)} />}
    </>
  )
}

export const UnsnoozeButton = ({ item }: { item: Attention }) => {
  const refresh = useRefresh()
  const showing = useMutation({
    mutationFn: () => api.attentionUnsnooze({ params: { id: item.id } }),
    onSuccess: refresh,
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    <Button
      variant="default"
      size="xs"
      className={classes.action ?? ''}
      aria-label={`Show again: ${item.title}`}
      loading={showing.isPending}
      onClick={() => showing.mutate()}
    >
      Show again
    </Button>
  )
}
