import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Server, ServerInfo } from '#features/servers/contract.ts'
import { api } from '#web/api.ts'
import { Card } from '#web/ui/Card.tsx'
import { ConfirmButton } from '#web/ui/Confirm.tsx'
import { Prose } from '#web/ui/Prose.tsx'
import { Section } from '#web/ui/Section.tsx'
import { showToast } from '#web/ui/toasts.ts'
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
      showToast({ tone: 'good', text: `${server.name}: the key it shows now is trusted.` })
    else if (shown === undefined)
      showToast({ tone: 'bad', text: `${server.name} did not answer. The key it shows first will be trusted.` })
    else
      showToast({
        tone: 'bad',
        text: `${server.name} showed ${shown}, which is not the key you compared. Look into this at once.`,
      })
  }
}

const Changed = ({ server, offered }: { server: Server; offered: string | undefined }) => {
  const retrust = useRetrust(server)
  return (
    <>
      <p className={classes.words}>
        <Prose text="Run `ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub` on the server, through your provider’s console. If it prints the new key, the machine was set up anew. If not, somebody stands between: do not trust it." />
      </p>
      <ConfirmButton
        label="Trust the new key"
        ask="trust"
        title={`Trust the new key of ${server.name}?`}
        verb="Trust the new key"
        effects={[
          'The panel forgets the key it trusted so far.',
          offered === undefined ? 'It trusts the key the server shows next.' : `It trusts \`${offered}\` from now on.`,
          'Whoever holds that key can run anything the panel sends to this server.',
        ]}
        act={() => retrust(offered)}
      />
    </>
  )
}

/** The key that proves that the server is itself: the trusted one beside the one it shows. */
export const HostKey = ({ server }: { server: Server }) => {
  const info = useServerInfo(server.id)
  const again = useAskAgain(server.id)
  const trusted = server.hostKey?.fingerprint
  const hasChanged = info.data?.reason === 'host_key_changed'
  const offered = offeredIn(info.data, trusted)
  return (
    <Section
      title="Host key"
      about="Proves that the panel talks to this server and to nobody else."
      actions={
        <Button variant="default" size="xs" loading={again.isPending} onClick={() => again.mutate()}>
          Ask the server
        </Button>
      }
    >
      <Card>
        <div id="host-key" className={classes.keys}>
          {trusted === undefined ? (
            <p className={classes.words}>None yet. The key it shows at the first contact will be trusted.</p>
          ) : (
            <Fingerprint label={`Trusted (${server.hostKey?.type})`} value={trusted} />
          )}
          {hasChanged && <Fingerprint label="Shown now" value={offered ?? 'No key of that kind any more'} isNew />}
          {hasChanged && <Changed server={server} offered={offered} />}
          {info.data?.reachable && trusted !== undefined && <p className={classes.words}>It shows this key.</p>}
        </div>
      </Card>
    </Section>
  )
}
