import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { toProblem } from '#web/kit/problem.ts'
import { refused } from '#web/kit/refused.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import { wordpressActions } from './can.ts'

/** Has WordPress look for updates and reads the site again. */
export const SyncButton = ({ site }: { site: Site }) => {
  const verdict = useCan(wordpressActions)('wpSync', site)
  const queryClient = useQueryClient()
  const syncing = useMutation({
    mutationFn: () => api.wpSync({ params: { slug: site.slug } }),
    onSuccess: status => queryClient.setQueryData(['sites', 'wordpress', site.slug], status),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  return (
    verdict.isOffered && (
      <Button
        variant="default"
        size="xs"
        {...refused(verdict.reason)}
        loading={syncing.isPending}
        onClick={() => verdict.isAllowed && syncing.mutate()}
      >
        Check for updates
      </Button>
    )
  )
}
