import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageHeading } from './PageHeading.tsx'
import { Prose } from './Prose.tsx'

interface IncompleteLinkProps {
  title: string
  advice: string
  children?: ReactNode
}

/** For a page that was opened without the token of its link. */
export const IncompleteLink = ({ title, advice, children }: IncompleteLinkProps) => (
  <Stack gap="md">
    <PageHeading title={title} takesFocus />
    <Text size="sm">
      This link is incomplete, or the page was reloaded. <Prose text={advice} />
    </Text>
    {children}
  </Stack>
)
