import { Button, Stack, Text } from '@mantine/core'
import { PageHeading } from '#web/kit/PageHeading.tsx'
import { CardFrame } from './CardFrame.tsx'

/** Instead of a page that broke while it was drawn. */
export const CrashPage = () => (
  <CardFrame>
    <Stack gap="md">
      <PageHeading title="Something went wrong" takesFocus />
      <Text c="dimmed" size="sm">
        This page crashed. Running jobs are not affected. Reload the page, and report it if it happens again.
      </Text>
      <Button fullWidth onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </Stack>
  </CardFrame>
)
