import { isIP } from 'node:net'
import { ensureFirewall } from '#drivers/nftables/firewall.ts'
import { ROOT } from '#features/servers/index.ts'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import type { Scope } from '#platform/scope.ts'
import { hasSystemd } from './engine.ts'

export const FIREWALL_FILE = `${ROOT}/firewall.nft`
/** Every site's own small network is taken from here, so that one rule speaks of all of them. */
export const SITE_POOL = '10.213.0.0/16'
/** What is near the server and not the internet. */
const NEARBY = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fe80::/10']
/** The mail relay, and the edge: WordPress asks its own address, for instance to run what it has planned. */
const SITE_PORTS = [25, 80, 443]
const UNIT = 'fleetpress-firewall.service'

const UNIT_TEXT = `[Unit]
Description=Firewall table of Fleetpress
DefaultDependencies=no
After=local-fs.target
Before=network-pre.target docker.service
Wants=network-pre.target

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/usr/sbin/nft -f ${FIREWALL_FILE}

[Install]
WantedBy=multi-user.target
`

/** Brings the table of a server to what it should hold now, in one transaction. */
export const loadServerFirewall = async (scope: Scope, serverId: number): Promise<void> => {
  const host = scope.hosts.get(serverId)
  await ensureFirewall(host, FIREWALL_FILE, async () => {
    const [blocked, resolvers] = await Promise.all([
      scope.events.raise(scope, 'blockedNetworks', { serverId }),
      readResolvers(host),
    ])
    return { blocked: blocked.flat(), sites: [SITE_POOL], sitePorts: SITE_PORTS, refused: NEARBY, resolvers }
  })
}

/** In effect now, and again when the machine starts. */
export const ensureServerFirewall = async (scope: Scope, serverId: number): Promise<void> => {
  await loadServerFirewall(scope, serverId)
  const host = scope.hosts.get(serverId)
  if (!(await hasSystemd(host))) return
  await host.writeFile(`/etc/systemd/system/${UNIT}`, UNIT_TEXT, { mode: 0o644 })
  await host.run(exec('systemctl', 'daemon-reload'))
  await host.run(exec('systemctl', 'enable', UNIT))
}

export const forgetServerFirewall = async (host: Host): Promise<void> => {
  if (!(await hasSystemd(host))) return
  await host.run(exec('systemctl', 'disable', UNIT), { allowExitCodes: [1] })
  await host.removeFile(`/etc/systemd/system/${UNIT}`)
}

/** Sites ask the server's own name servers, which often are in a network they may not reach otherwise. */
const readResolvers = async (host: Host): Promise<string[]> => {
  const text = (await host.readFile('/etc/resolv.conf')).toString()
  const addresses = [...text.matchAll(/^nameserver[ \t]+(\S+)/gm)].map(match => match[1] ?? '')
  return addresses.filter(address => isIP(address) && !address.startsWith('127.') && address !== '::1')
}
