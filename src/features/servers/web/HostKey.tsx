import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Server, ServerInfo } from '#features/servers/contract.ts'
import { Card } from '#web/kit/Card.tsx'
import { ConfirmButton } from '#web/kit/Confirm.tsx'
import { Prose } from '#web/kit/Prose.tsx'
import { Section } from '#web/kit/Section.tsx'
import { showToast } from '#web/kit/toasts.ts'
import { api } from './api.ts'
import classes from './HostKey.module.css'
import { useAskAgain, useServerInfo } from './use-servers.ts'

/** The key a server shows in place of the trusted one, out of what the panel says about it. */
const offeredIn = (info: ServerInfo | undefined, trusted: string | undefined): string | undefined =>
  info?.reason === 'host_key_changed'
    ? info.problem?.match(/SHA256:[A-Za-z0-9+/]+/g)?.find(fingerprint => fingerprint !== trusted)
    : undefined

const Fingerprint = ({ label, value, isNew = false }: { label: string; value: string; isNew?: boolean }) => (
  <div className={classes.key} data-new={isNew || undefined}>
    <span className={classes.label}>{label}</span>
    <code className={classes.fingerprint}>{value}</code>
  </div>
)

const useRetrust = (server: Server) => {
  const queryClient = useQueryClient()
  return async (compared: string | undefined) => {
    const changed = await api.serverUpdate({ params: { id: server.id }, body: { retrustHostKey: true } })
    queryClient.setQueryData(['servers', server.id], changed)
    await queryClient.invalidateQueries({ queryKey: ['servers'] })
    const shown = changed.hostKey?.fingerprint
    if (compared === undefined || shown === compared)
      showToast({ tone: 'good', text: `New key of ${server.name} trusted.` })
    else if (shown === undefined)
      showToast({ tone: 'bad', text: `${server.name} didn't respond. The panel will trust the key it presents next.` })
    else
      showToast({
        tone: 'bad',
        text: `${server.name} presented ${shown}, which is not the key you compared. Investigate this right away.`,
      })
  }
}

const Changed = ({ server, offered }: { server: Server; offered: string | undefined }) => {
  const retrust = useRetrust(server)
  return (
    <>
      <p className={classes.words}>
        <Prose text="Run `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` on the server, through your provider's console. If it prints the new key, the server was reinstalled. If not, the connection may be intercepted: don't trust it." />
      </p>
      <ConfirmButton
        label="Trust new key"
        ask="trust"
        title={`Trust the new key of ${server.name}?`}
        verb="Trust new key"
        effects={[
          'The panel no longer trusts the previous key.',
          offered === undefined
            ? 'It trusts the key the server presents next.'
            : `It trusts \`${offered}\` from now on.`,
          'Anyone holding that key receives everything the panel sends to this server.',
        ]}
        act={() => retrust(offered)}
      />
    </>
  )
}

/** The key that proves that the server is itself: the trusted one next to the one it shows. */
export const HostKey = ({ server }: { server: Server }) => {
  const info = useServerInfo(server.id)
  const again = useAskAgain(server.id)
  const trusted = server.hostKey?.fingerprint
  const hasChanged = info.data?.reason === 'host_key_changed'
  const offered = offeredIn(info.data, trusted)
  return (
    <Section
      title="Host key"
      about="Proves that the panel is talking to this server."
      actions={
        <Button variant="default" size="xs" loading={again.isPending} onClick={() => again.mutate()}>
          Check now
        </Button>
      }
    >
      <Card>
        <div id="host-key" className={classes.keys}>
          {trusted === undefined ? (
            <p className={classes.words}>None yet. The panel will trust the key it sees on first contact.</p>
          ) : (
            <Fingerprint label={`Trusted (${server.hostKey?.type})`} value={trusted} />
          )}
          {hasChanged && <Fingerprint label="Current" value={offered ?? 'No key of this type'} isNew />}
          {hasChanged && <Changed server={server} offered={offered} />}
          {info.data?.reachable && trusted !== undefined && (
            <p className={classes.words}>The server presents this key.</p>
          )}
        </div>
      </Card>
    </Section>
  )
}
