import { Button, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { PageHeading } from '#web/kit/PageHeading.tsx'

export const NotFoundPage = () => (
  <Stack gap="md">
    <PageHeading title="Page not found" takesFocus />
    <Text c="dimmed" size="sm">
      Check the address. The page may have been deleted.
    </Text>
    <Button component={Link} to="/" variant="light" fullWidth>
      Go to Home
    </Button>
  </Stack>
)
