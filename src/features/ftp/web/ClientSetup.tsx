import { NativeSelect } from '@mantine/core'
import { Choice } from '#web/kit/Choice.tsx'
import { CopyField } from '#web/kit/CopyButton.tsx'
import { Section } from '#web/kit/Section.tsx'
import { useUrlState } from '#web/kit/use-url-state.ts'
import type { FtpEndpoint } from '../contract.ts'
import { CLIENTS, PROTOCOLS, setupOf, targetOf } from './clients.ts'
import classes from './FtpTab.module.css'

interface ClientSetupProps {
  endpoint: FtpEndpoint
  usernames: readonly [string, ...string[]]
}

/** What to enter in the clients that people use, for one of the logins. */
export const ClientSetup = ({ endpoint, usernames }: ClientSetupProps) => {
  const url = useUrlState()
  const { value: client } = CLIENTS.find(({ value }) => value === url.of('client')) ?? CLIENTS[0]
  const offered = client === 'sftp' ? PROTOCOLS.slice(0, 1) : PROTOCOLS
  const { value: protocol } = offered.find(({ value }) => value === url.of('over')) ?? PROTOCOLS[0]
  const username = usernames.find(name => name === url.of('as')) ?? usernames[0]
  const { hint, fields } = setupOf(client, targetOf(endpoint, username, protocol))
  return (
    <Section title="Set up a client">
      <div className={classes.acts}>
        {usernames.length > 1 && (
          <NativeSelect
            aria-label="Login"
            size="xs"
            data={[...usernames]}
            value={username}
            onChange={event => url.set({ as: event.currentTarget.value })}
          />
        )}
        <Choice label="Client" options={CLIENTS} value={client} onChange={value => url.set({ client: value })} />
        <Choice label="Protocol" options={offered} value={protocol} onChange={value => url.set({ over: value })} />
      </div>
      <div className={classes.stack}>
        {fields.map(([label, value]) => (
          <CopyField key={label} {...{ label, value }} />
        ))}
      </div>
      <p className={classes.hint}>{hint}</p>
    </Section>
  )
}
