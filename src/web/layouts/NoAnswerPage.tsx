import { Button, Stack } from '@mantine/core'
import type { Problem } from '#platform/contract/problem.ts'
import { FormError } from '#web/ui/FormError.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
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
      <PageHeading title="Fleetpress does not answer" />
      <FormError problem={problem} />
      <Button fullWidth loading={isRetrying} onClick={onRetry}>
        Try again
      </Button>
    </Stack>
  </CardFrame>
)
