import type { Server } from '#features/servers/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { Section } from '#web/kit/Section.tsx'
import { DeleteServer } from './DeleteServer.tsx'
import { HostKey } from './HostKey.tsx'
import { ServerForm, valuesOf } from './ServerForm.tsx'
import classes from './SettingsTab.module.css'
import { SetUpAgain } from './SetUpAgain.tsx'

/** What can be changed about a server, down to forgetting it. */
export const SettingsTab = ({ server }: { server: Server }) => (
  <div className={classes.settings}>
    <ServerForm key={JSON.stringify(valuesOf(server))} server={server} />
    <Section title="Setup">
      <Card>
        <div className={classes.row}>
          <p className={classes.words}>
            {server.upToDate
              ? 'This server is up to date. Set it up again to fix manual changes.'
              : 'This server differs from what the panel would set up now. Its sites keep running.'}
          </p>
          <SetUpAgain server={server} />
        </div>
      </Card>
    </Section>
    {!server.own && <HostKey server={server} />}
    <DeleteServer server={server} />
  </div>
)
