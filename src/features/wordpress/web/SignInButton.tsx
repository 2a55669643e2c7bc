import { ActionIcon, Button } from '@mantine/core'
import { IconBrandWordpress, IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { toProblem } from '#web/kit/problem.ts'
import { refused } from '#web/kit/refused.ts'
import { showToast } from '#web/kit/toasts.ts'
import { wordpressActions } from './can.ts'
import { openSignedIn } from './open-signed-in.ts'

/** Whether a person is offered to sign in to a site, and the properties of the button for it. */
const useSignIn = (site: Site) => {
  const { isOffered, isAllowed, reason } = useCan(wordpressActions)('wpLoginLink', site)
  const opening = useMutation({
    mutationFn: () => openSignedIn(site.slug),
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  const button = {
    ...refused(reason),
    loading: opening.isPending,
    onClick: () => isAllowed && opening.mutate(),
  }
  return { isOffered, button }
}

/** Opens the admin area of a site, signed in. */
export const SignInButton = ({ site }: { site: Site }) => {
  const { isOffered, button } = useSignIn(site)
  return (
    isOffered && (
      <Button size="xs" variant="default" rightSection={<IconExternalLink size={14} aria-hidden="true" />} {...button}>
        Sign in to WordPress
      </Button>
    )
  )
}

/** The same in a row of many sites. */
export const SignInIcon = ({ site }: { site: Site }) => {
  const { isOffered, button } = useSignIn(site)
  const label = `Sign in to WordPress of ${site.title}`
  return (
    isOffered && (
      <ActionIcon variant="subtle" aria-label={label} title={label} {...button}>
        <IconBrandWordpress size={18} aria-hidden="true" />
      </ActionIcon>
    )
  )
}
