import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { toProblem } from '#web/kit/problem.ts'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import classes from './TestEmail.module.css'

interface TestEmailProps {
  /** Whether there are changes to the mail settings that were not saved yet. */
  isChanged: boolean
  address: unknown
}

const tell = ({ accepted, detail }: { accepted: boolean; detail: string }) =>
  showToast({ tone: accepted ? 'good' : 'bad', text: accepted ? `Test email accepted: ${detail}` : detail })

/** Tries the mail settings as they are saved. */
export const TestEmail = ({ isChanged, address }: TestEmailProps) => {
  const sending = useMutation({
    mutationFn: () => api.settingsTestEmail(),
    onSuccess: tell,
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  const isReady = typeof address === 'string' && address !== ''
  const why = isChanged
    ? 'Save your changes first. The test uses the saved settings.'
    : isReady
      ? `Sent to ${address}.`
      : 'Set the address for notifications first.'
  return (
    <div className={classes.test}>
      <Button
        variant="default"
        size="xs"
        disabled={isChanged || !isReady}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        Send test email
      </Button>
      <span className={classes.why}>{why}</span>
    </div>
  )
}
