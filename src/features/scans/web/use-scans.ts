import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'

const REFRESH_MS = 30_000

/** All that the tab shows, at once, so that nothing jumps. */
export const useSiteScan = (slug: string) =>
  useQuery({
    queryKey: ['scans', slug],
    queryFn: async () => {
      const params = { slug }
      const [state, findings, quarantine] = await Promise.all([
        api.siteScanGet({ params }),
        api.findingList({ params, query: { status: 'all' } }),
        api.quarantineList({ params }),
      ])
      return { ...state, findings: findings.items, counts: findings.counts, quarantine: quarantine.items }
    },
    refetchInterval: REFRESH_MS,
  })
export type TabData = NonNullable<ReturnType<typeof useSiteScan>['data']>

/** An act that is over when it is answered. */
export const useAct = (done: string) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (act: () => Promise<unknown>) => {
      await act()
      await queryClient.invalidateQueries({ queryKey: ['scans'] })
      showToast({ tone: 'good', text: done })
    },
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
}
