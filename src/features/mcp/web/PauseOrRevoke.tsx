import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { FormError } from '#web/kit/FormError.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { useSubmission } from '#web/kit/use-submission.ts'
import type { Connection } from '../contract.ts'
import { api } from './api.ts'
import classes from './ConnectionDrawer.module.css'

interface PauseOrRevokeProps {
  connection: Connection
  onRevoked: () => void
}

/** Stops a connection for a while, or for good. */
export const PauseOrRevoke = ({ connection: { id, name, paused, creator }, onRevoked }: PauseOrRevokeProps) => {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['connections'] })
  const pause = useSubmission(async () => {
    await api.mcpConnectionUpdate({ params: { id }, body: { paused: !paused } })
    await refresh()
    showToast({ tone: 'good', text: paused ? `${name} resumed.` : `${name} paused.` })
  })
  const revoke = async () => {
    await api.mcpConnectionRevoke({ params: { id } })
    showToast({ tone: 'good', text: `${name} revoked.` })
    await refresh()
    onRevoked()
  }
  return (
    <div className={classes.acts}>
      {creator !== 'gone' && (
        <form {...pause.formProps}>
          <Button type="submit" variant="default" size="xs" loading={pause.isPending}>
            {paused ? 'Resume' : 'Pause'}
          </Button>
        </form>
      )}
      <ConfirmButton
        label="Revoke"
        ask="revoke"
        color="red"
        variant="light"
        title={`Revoke ${name}?`}
        verb="Revoke connection"
        name={name}
        effects={[
          'The app is signed out, and its calls are refused within seconds.',
          'Jobs it started continue, and its calls stay in the activity log.',
        ]}
        act={revoke}
      />
      <FormError key={pause.failures} problem={pause.problem} />
    </div>
  )
}
