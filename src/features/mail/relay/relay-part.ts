import { ensureNetwork } from '#drivers/docker/networks.ts'
import { dockerOf, OWNERS, partContainer, type StackPart } from '#features/stack/index.ts'
import { applyRelay } from './apply-relay.ts'
import { LOG_FOLDER, MAIL_FOLDER, RELAY_NETWORK, SETTINGS_FOLDER } from './names.ts'

const MIB = 1024 ** 2

/** Sends the mail of sites. It starts as root to open port 25; it listens only where sites reach it. */
export const relayPart: StackPart = {
  name: 'relay',
  whenDown: "Its sites can't send mail.",
  image: {
    name: 'relay',
    version: '1',
    suite: 'trixie',
    buildArgs: { RELAY: String(OWNERS.relay.uid), SIGNER: String(OWNERS.signer.uid) },
    needsWpCli: false,
  },
  folders: [
    { path: MAIL_FOLDER, mode: 0o711 },
    { path: SETTINGS_FOLDER, mode: 0o755 },
    { path: `${SETTINGS_FOLDER}/senders`, mode: 0o755 },
    { path: `${SETTINGS_FOLDER}/keys`, mode: 0o700, owner: OWNERS.signer },
    { path: `${MAIL_FOLDER}/spool`, mode: 0o755 },
    { path: `${MAIL_FOLDER}/counts`, mode: 0o755 },
    { path: LOG_FOLDER, mode: 0o700 },
  ],
  healthyWithinMs: 60_000,
  container: (image, machine) =>
    partContainer('relay', {
      image,
      // Through a published port every site would have the same address.
      network: 'host',
      capAdd: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'],
      mounts: [
        { source: SETTINGS_FOLDER, target: '/etc/fleetpress/mail', readOnly: true },
        { source: `${MAIL_FOLDER}/spool`, target: '/var/spool/postfix' },
        { source: `${MAIL_FOLDER}/counts`, target: '/var/lib/fleetpress' },
        { source: LOG_FOLDER, target: '/var/log/fleetpress' },
      ],
      tmpfs: [
        { target: '/run', sizeBytes: 16 * MIB, mode: 0o755 },
        { target: '/tmp', sizeBytes: 64 * MIB },
        { target: '/var/lib/postfix', sizeBytes: 16 * MIB },
      ],
      limits: { memoryBytes: 256 * MIB, cpus: machine.cpus, pids: 256 },
      stopTimeoutSeconds: 30,
      init: true,
    }),
  configure: async (scope, serverId) => {
    await ensureNetwork(dockerOf(scope.hosts.get(serverId)), RELAY_NETWORK, { signal: scope.signal })
    const changed = await applyRelay(scope, serverId)
    return `configuration ${changed ? 'changed' : 'unchanged'}`
  },
}
