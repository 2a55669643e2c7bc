import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'

const MOST = 50

export interface Ran {
  id: number
  line: string
  text: string
  ok: boolean
}

/** What ran in a console, newest first. It stays until the person signs out or closes the tab of the browser. */
export const useHistory = (slug: string, label: string) => {
  const queryClient = useQueryClient()
  const queryKey = ['console', slug, label]
  const { data: history } = useQuery({
    queryKey,
    queryFn: () => queryClient.getQueryData<readonly Ran[]>(queryKey) ?? [],
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const add = (ran: Omit<Ran, 'id'>) =>
    queryClient.setQueryData<readonly Ran[]>(queryKey, (before = []) =>
      [{ id: (before[0]?.id ?? 0) + 1, ...ran }, ...before].slice(0, MOST),
    )
  return { history, add }
}

/** The arrow keys go through the lines that ran, as in a shell. */
export const useRecall = (history: readonly Ran[], show: (line: string) => void) => {
  const [at, setAt] = useState(-1)
  const lines = [...new Set(history.map(({ line }) => line))]
  const onKeyDown = (event: KeyboardEvent) => {
    const next = at + (event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : Number.NaN)
    if (!(next >= -1 && next < lines.length)) return
    event.preventDefault()
    setAt(next)
    show(lines[next] ?? '')
  }
  return { onKeyDown, forget: () => setAt(-1) }
}
