import { IconPlugConnected } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Empty } from '#web/kit/Empty.tsx'
import { Status } from '#web/kit/Status.tsx'
import { CellNote, type Column, RowLink, Table } from '#web/kit/Table.tsx'
import { fullTime } from '#web/kit/time.ts'
import { useTimeZone } from '#web/kit/time-zone.ts'
import type { FtpLogin } from '../contract.ts'
import { leftText, untilText } from './expiry-text.ts'

const Expires = ({ login: { expiresAt, expired }, now }: { login: FtpLogin; now: number }) => {
  const timeZone = useTimeZone()
  if (expiresAt === null) return 'Never'
  return (
    <time dateTime={new Date(expiresAt).toISOString()} title={fullTime(expiresAt, timeZone)}>
      {expired ? <Status tone="idle" word="Expired" /> : untilText(expiresAt, now, timeZone)}
      {!expired && <CellNote>{leftText(expiresAt, now)}</CellNote>}
    </time>
  )
}

const columnsAt = (now: number): readonly Column<FtpLogin>[] => [
  {
    id: 'username',
    title: 'Username',
    sort: ({ username }) => username,
    cell: ({ id, username, folder }) => (
      <>
        <RowLink to={`?login=${id}`}>{username}</RowLink>
        <CellNote>{folder || 'Whole site'}</CellNote>
      </>
    ),
  },
  {
    id: 'expires',
    title: 'Expires',
    width: '13rem',
    sort: ({ expiresAt }) => expiresAt ?? Number.MAX_SAFE_INTEGER,
    cell: login => <Expires {...{ login, now }} />,
  },
  {
    id: 'sessions',
    title: 'Connected',
    width: '8rem',
    wide: true,
    sort: ({ sessions }) => -sessions,
    cell: ({ sessions }) => (sessions === 0 ? 'No' : `${sessions} open`),
  },
]

/** The logins of a site. A row opens next to the list. */
export const LoginsTable = ({ users, now, action }: { users: readonly FtpLogin[]; now: number; action: ReactNode }) => (
  <Table
    label="FTP logins"
    rows={users}
    columns={columnsAt(now)}
    idOf={({ id }) => id}
    empty={
      <Empty icon={IconPlugConnected} title="No FTP logins yet" action={action}>
        A login lets someone transfer files by SFTP or FTP, without access to the panel.
      </Empty>
    }
  />
)
