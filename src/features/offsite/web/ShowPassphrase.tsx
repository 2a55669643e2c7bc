import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import type { Destination, Passphrase } from '../contract.ts'
import { api } from './api.ts'
import { PassphraseCard } from './PassphraseCard.tsx'

/** Shows what opens the copies, after a question: anyone who sees it can read them. */
export const ShowPassphrase = ({ destination: { id, name } }: { destination: Destination }) => {
  const [shown, setShown] = useState<Passphrase>()
  const close = () => setShown(undefined)
  return (
    <>
      <ConfirmButton
        label="Show passphrase"
        ask="passphrase"
        title={`Show the passphrase of ${name}?`}
        verb="Show passphrase"
        effects={['Anyone with it and access to the storage can read the copies.', 'The activity log records it.']}
        act={async () => setShown(await api.destinationPassphrase({ params: { id } }))}
      />
      {shown && (
        <Dialog title={`Passphrase of ${name}`} onClose={close} footer={<Button onClick={close}>Close</Button>}>
          <PassphraseCard name={name} passphrase={shown} />
        </Dialog>
      )}
    </>
  )
}
