import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, toProblem } from '#web/api.ts'
import { showToast } from '#web/ui/toasts.ts'
import classes from './TestEmail.module.css'

interface TestEmailProps {
  /** Whether there are changes to the mail settings that were not saved yet. */
  isChanged: boolean
  address: unknown
}

const tell = ({ accepted, detail }: { accepted: boolean; detail: string }) =>
  showToast({ tone: accepted ? 'good' : 'bad', text: accepted ? `The test e-mail was taken: ${detail}` : detail })

/** Tries the mail settings as they are saved. */
export const TestEmail = ({ isChanged, address }: TestEmailProps) => {
  const sending = useMutation({
    mutationFn: () => api.settingsTestEmail(),
    onSuccess: tell,
    onError: error => showToast({ tone: 'bad', text: toProblem(error).message }),
  })
  const isReady = typeof address === 'string' && address !== ''
  const why = isChanged
    ? 'Save first: it is sent with the saved settings.'
    : isReady
      ? `Goes to ${address}.`
      : 'Set the address for notices first: it goes there.'
  return (
    <div className={classes.test}>
      <Button
        variant="default"
        size="xs"
        disabled={isChanged || !isReady}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        Send a test e-mail
      </Button>
      <span className={classes.why}>{why}</span>
    </div>
  )
}
