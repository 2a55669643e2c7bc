import { useServerNames } from '#web/client/servers.ts'
import { bytesText } from '#web/kit/bytes.ts'
import { CopyButton } from '#web/kit/CopyButton.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Facts } from '#web/kit/Facts.tsx'
import { Status } from '#web/kit/Status.tsx'
import { fullTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import type { MailMessage } from '../messages/contract.ts'
import classes from './Mail.module.css'
import { statusWords } from './words.ts'

/** The whole story of a message for one recipient. */
export const MessageDrawer = ({ message, onClose }: { message: MailMessage; onClose: () => void }) => {
  const serverName = useServerNames()
  const timeZone = useTimeZone()
  return (
    <Dialog kind="side" title={message.subject || 'No subject'} onClose={onClose}>
      <Facts
        facts={[
          ['Status', <Status key="status" {...statusWords[message.status]} />],
          ['From', message.from || 'The relay itself'],
          ['To', message.to],
          ['Site', message.siteSlug],
          ['Server', serverName(message.serverId)],
          ['Size', message.sizeBytes === null ? null : bytesText(message.sizeBytes)],
          ['Mail server of the recipient', message.remote],
          ['Attempts', String(message.attempts)],
          [
            'Queue id',
            <span key="id">
              {message.queueId} <CopyButton value={message.queueId} label="queue id" />
            </span>,
          ],
        ]}
      />
      <ol className={classes.story} aria-label="What happened">
        {message.events.map(({ at, status, text }) => (
          <li key={`${at} ${status} ${text}`}>
            <Status {...statusWords[status]} />
            <p className={classes.note}>{fullTime(at, timeZone)}</p>
            <p className={classes.note}>{text}</p>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
