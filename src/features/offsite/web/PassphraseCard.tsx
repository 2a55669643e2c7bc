import { Alert, Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { CopyField } from '#web/kit/CopyButton.tsx'
import type { Passphrase } from '../contract.ts'
import classes from './Offsite.module.css'

interface PassphraseCardProps {
  name: string
  passphrase: Passphrase
}

const fileOf = ({ name, passphrase: { password, salt } }: PassphraseCardProps): string =>
  `Fleetpress offsite destination: ${name}\nPassword: ${password}\nSalt: ${salt}\n\nBoth are needed to read the copies (password and password2 of rclone crypt).\n`

const download = (props: PassphraseCardProps) => {
  const url = URL.createObjectURL(new Blob([fileOf(props)], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: `${props.name}-passphrase.txt` })
  link.click()
  URL.revokeObjectURL(url)
}

/** What opens encrypted copies without the panel. */
export const PassphraseCard = (props: PassphraseCardProps) => (
  <div className={classes.stack}>
    <Alert variant="light" p="sm" icon={<IconKey aria-hidden="true" />} title="Save this passphrase now">
      Without it no one can read these copies, not even with the storage itself. Store it outside of your servers.
    </Alert>
    <CopyField label="Password" value={props.passphrase.password} />
    <CopyField label="Salt" value={props.passphrase.salt} />
    <div>
      <Button variant="default" onClick={() => download(props)}>
        Download as a file
      </Button>
    </div>
  </div>
)
