import { Button, Stack, Text } from '@mantine/core'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { CardFrame } from './CardFrame.tsx'

/** Instead of a page that broke while it was drawn. */
export const CrashPage = () => (
  <CardFrame>
    <Stack gap="md">
      <PageHeading title="This page broke" takesFocus />
      <Text c="dimmed" size="sm">
        Nothing you asked for was lost; jobs go on. Reload the page, and report it if it happens again.
      </Text>
      <Button fullWidth onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    </Stack>
  </CardFrame>
)
