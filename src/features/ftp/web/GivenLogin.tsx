import { Button } from '@mantine/core'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import type { FtpEndpoint } from '../contract.ts'
import classes from './FtpTab.module.css'

export interface Given {
  username: string
  /** Null when the person chose it. */
  password: string | null
}

interface GivenLoginProps {
  given: Given
  endpoint: FtpEndpoint | null
  onClose: () => void
}

/** All that someone needs to sign in. The password is shown here, this once. */
export const GivenLogin = ({ given: { username, password }, endpoint, onClose }: GivenLoginProps) => (
  <Dialog
    title={`Login ${username}`}
    onClose={onClose}
    footer={
      <Button type="button" onClick={onClose}>
        Done
      </Button>
    }
  >
    <div className={classes.stack}>
      <p className={classes.hint}>
        {password === null ? 'The password is the one you chose.' : "Save this password now. It isn't shown again."}
      </p>
      {password !== null && <CopyField label="Password" value={password} />}
      <CopyField label="Username" value={username} />
      {endpoint && (
        <>
          <CopyField label="Host" value={endpoint.host} />
          <CopyField label="SFTP port" value={String(endpoint.sftpPort)} />
          <CopyField label="Command" value={`sftp -P ${endpoint.sftpPort} ${username}@${endpoint.host}`} />
        </>
      )}
    </div>
  </Dialog>
)
