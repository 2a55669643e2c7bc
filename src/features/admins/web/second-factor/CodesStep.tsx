import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyButton } from '#web/kit/CopyButton.tsx'
import classes from './CodesStep.module.css'

interface CodesStepProps {
  codes: readonly string[]
  email: string
  onDone: () => Promise<void>
}

const download = (text: string) => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'fleetpress-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(address)
}

/** The only sight of the recovery codes; it continues once they are kept. */
export const CodesStep = ({ codes, email, onDone }: CodesStepProps) => {
  const [isKept, setKept] = useState(false)
  const text = `Recovery codes for Fleetpress at ${window.location.origin} for ${email}. Each works once.\n\n${codes.join('\n')}\n`
  return (
    <div className={classes.step}>
      <Text size="sm">
        Store these away from your phone. Each code signs you in once without your phone. They won't be shown again.
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={classes.row}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} aria-hidden="true" />}
          onClick={() => download(text)}
        >
          Download
        </Button>
        <CopyButton value={codes.join('\n')} label="recovery codes" />
      </div>
      <label className={classes.kept}>
        <input type="checkbox" checked={isKept} onChange={event => setKept(event.currentTarget.checked)} />I have saved
        the codes
      </label>
      <div>
        <Button disabled={!isKept} onClick={() => void onDone()}>
          Done
        </Button>
      </div>
    </div>
  )
}
