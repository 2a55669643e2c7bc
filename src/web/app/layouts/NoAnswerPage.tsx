import { Button, Stack } from '@mantine/core'
import type { Problem } from '#platform/contract/problem.ts'
import { FormError } from '#web/kit/FormError.tsx'
import { PageHeading } from '#web/kit/PageHeading.tsx'
import { CardFrame } from './CardFrame.tsx'

interface NoAnswerPageProps {
  problem: Problem
  isRetrying: boolean
  onRetry: () => void
}

/** Instead of every page while the panel does not say who is signed in. */
export const NoAnswerPage = ({ problem, isRetrying, onRetry }: NoAnswerPageProps) => (
  <CardFrame>
    <Stack gap="md">
      <PageHeading title="Can't reach Fleetpress" />
      <FormError problem={problem} />
      <Button fullWidth loading={isRetrying} onClick={onRetry}>
        Try again
      </Button>
    </Stack>
  </CardFrame>
)
