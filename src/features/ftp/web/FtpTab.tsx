import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { Site } from '#features/sites/contract.ts'
import { useCan } from '#web/client/can.ts'
import { Loaded } from '#web/kit/Loaded.tsx'
import { refused } from '#web/kit/refused.ts'
import { Section } from '#web/kit/Section.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import type { Tone } from '#web/kit/Status.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import type { SiteFtp } from '../contract.ts'
import { ClientSetup } from './ClientSetup.tsx'
import { Connection } from './Connection.tsx'
import { CreateLogin } from './CreateLogin.tsx'
import { ftpActions } from './can.ts'
import { type Given, GivenLogin } from './GivenLogin.tsx'
import { LoginDrawer } from './LoginDrawer.tsx'
import { LoginsTable } from './LoginsTable.tsx'
import { useFtp } from './use-ftp.ts'
import { noteOf, statusWords } from './words.ts'

const Note = ({ text, tone }: { text: string; tone: Tone }) => (
  <Alert
    color={tone === 'bad' ? 'red' : 'gray'}
    variant="light"
    p="sm"
    icon={tone === 'bad' ? <IconAlertTriangle aria-hidden="true" /> : <IconInfoCircle aria-hidden="true" />}
  >
    {text}
  </Alert>
)

const Logins = ({ site, ftp, now }: { site: Site; ftp: SiteFtp; now: number }) => {
  const url = useUrlState()
  const { isOffered, isAllowed, reason } = useCan(ftpActions)('ftpUserCreate', site)
  const [given, setGiven] = useState<Given>()
  const open = ftp.users.find(({ id }) => id === url.of('login'))
  const create = isOffered && (
    <Button size="xs" {...refused(reason)} onClick={() => isAllowed && url.push({ ask: 'create-login' })}>
      Create login
    </Button>
  )
  const note = noteOf(ftp)
  const [first, ...others] = ftp.users.filter(({ expired }) => !expired).map(({ username }) => username)
  const give = (made: Given) => {
    url.set({ ask: '' })
    setGiven(made)
  }
  return (
    <>
      {note && <Note text={note} tone={statusWords[ftp.status].tone} />}
      <Section title="FTP logins" actions={ftp.users.length > 0 && create}>
        <LoginsTable users={ftp.users} now={now} action={create} />
      </Section>
      {ftp.endpoint && ftp.users.length > 0 && <Connection endpoint={ftp.endpoint} status={ftp.status} />}
      {ftp.endpoint && first !== undefined && <ClientSetup endpoint={ftp.endpoint} usernames={[first, ...others]} />}
      {isAllowed && url.of('ask') === 'create-login' && (
        <CreateLogin site={site} onGiven={give} onClose={() => url.set({ ask: '' })} />
      )}
      {open && !given && (
        <LoginDrawer login={open} {...{ site, now }} onGiven={give} onClose={() => url.push({ login: '' })} />
      )}
      {given && <GivenLogin given={given} endpoint={ftp.endpoint} onClose={() => setGiven(undefined)} />}
    </>
  )
}

/** Who reaches the files of a site by SFTP and FTP, and how. */
export const FtpTab = ({ site }: { site: Site }) => {
  const query = useFtp(site.slug)
  return (
    <Loaded query={query} skeleton={<Skeleton rows={4} height="4rem" />}>
      {ftp => <Logins {...{ site, ftp }} now={query.dataUpdatedAt} />}
    </Loaded>
  )
}
