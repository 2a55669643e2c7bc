import { Button, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const NotFoundPage = () => (
  <Stack gap="md">
    <PageHeading title="There is nothing here" takesFocus />
    <Text c="dimmed" size="sm">
      The address may be mistyped, or what it showed is gone.
    </Text>
    <Button component={Link} to="/" variant="light" fullWidth>
      Go to Home
    </Button>
  </Stack>
)
