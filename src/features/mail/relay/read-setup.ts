import { hasToken } from '#features/dns/index.ts'
import { findServer } from '#features/servers/index.ts'
import { HostError } from '#platform/host/errors.ts'
import type { Scope } from '#platform/scope.ts'
import { type Dns, NoAnswer, withDns } from '../domains/ask-dns.ts'
import { checkDomains } from '../domains/list-domains.ts'
import { listSendingDomains } from '../domains/sending-domains.ts'
import { relaySettings } from '../settings.ts'
import type { RelayStatus, SetupCheck } from './contract.ts'
import { readStatus } from './read-status.ts'

/** Takes mail from everyone, so a server that reaches it reaches others, too. */
const WELL_KNOWN = 'gmail.com'
const DIAL_MS = 4000

/** All that has to be set up for mail to arrive. */
export const readSetup = async (scope: Scope) => {
  const { smarthost } = await scope.settings.read(relaySettings)
  const isDirect = smarthost === ''
  const statuses = await readStatus(scope)
  const domains = await checkDomains(scope, await listSendingDomains(scope.db))
  const servers = await withDns(scope.installation.dnsServers, dns =>
    Promise.all(
      statuses.map(async status => {
        const { serverId, name, hostname, publicIp } = status
        return { serverId, name, hostname, publicIp, checks: await checksOf(scope, dns, status, isDirect) }
      }),
    ),
  )
  return {
    mode: isDirect ? ('direct' as const) : ('smarthost' as const),
    smarthost: isDirect ? null : smarthost,
    hasDnsProvider: await hasToken(scope),
    servers,
    domains: domains.map(({ domain, spf, dkim, dmarc }) => ({
      domain,
      records: [spf, dkim, dmarc].flatMap(({ record }) => record ?? []),
    })),
  }
}

const checksOf = async (scope: Scope, dns: Dns, status: RelayStatus, isDirect: boolean): Promise<SetupCheck[]> => [
  checkRelay(status),
  ...(isDirect ? [await checkHostname(dns, status), reverseCheck(status), await checkPort(scope, dns, status)] : []),
]

/** A relay is unknown while its server is away or not set up yet. */
const openServer = (relay: RelayStatus['relay']) =>
  relay === 'unknown' ? 'Open the server to see what it needs.' : 'Open the server and set it up again.'

const checkRelay = ({ relay, signer, problem }: RelayStatus): SetupCheck => ({
  id: 'relay',
  title: 'The relay is running',
  verdict: relay === 'running' && signer === 'running' ? 'ok' : relay === 'unknown' ? 'unknown' : 'wrong',
  message: problem ?? 'It accepts mail from sites and signs it.',
  todo: problem === null ? null : openServer(relay),
})

const checkHostname = async (dns: Dns, { hostname, publicIp }: RelayStatus): Promise<SetupCheck> => {
  const check = { id: 'hostname', title: `${hostname} points to this server` } as const
  const todo =
    publicIp === null ? 'Set the public address of the server.' : `Create an A record for ${hostname} with ${publicIp}.`
  try {
    const addresses = await dns.addresses(hostname)
    if (publicIp !== null && addresses.includes(publicIp))
      return { ...check, verdict: 'ok', message: `It resolves to ${publicIp}.`, todo: null }
    return addresses.length === 0
      ? { ...check, verdict: 'missing', message: `${hostname} doesn't resolve.`, todo }
      : { ...check, verdict: 'wrong', message: `It resolves to ${addresses.join(', ')}.`, todo }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return { ...check, verdict: 'unknown', message: 'DNS did not respond.', todo: null }
  }
}

const reverseCheck = ({ hostname, publicIp, reverseDns: { verdict, message } }: RelayStatus): SetupCheck => ({
  id: 'reverse-dns',
  title: 'Reverse DNS is the same name',
  verdict,
  message,
  todo:
    verdict === 'ok' || verdict === 'unknown'
      ? null
      : `Set the reverse DNS of ${publicIp} to ${hostname} at your hosting provider.`,
})

/** Many hosting providers close it until asked. */
const checkPort = async (scope: Scope, dns: Dns, { serverId, relay }: RelayStatus): Promise<SetupCheck> => {
  const check = { id: 'port-25', title: 'Port 25 to other mail servers is open' } as const
  const row = await findServer(scope.db, serverId)
  if (row?.status !== 'ready' || relay === 'unknown')
    return { ...check, verdict: 'unknown', message: 'The server did not respond.', todo: null }
  try {
    const [exchange] = await dns.exchanges(WELL_KNOWN)
    if (exchange === undefined) throw new NoAnswer()
    const connection = await scope.hosts.get(serverId).dial({ host: exchange, port: 25 }, { timeoutMs: DIAL_MS })
    connection.destroy()
    return { ...check, verdict: 'ok', message: `The server reaches ${exchange}.`, todo: null }
  } catch (error) {
    if (error instanceof NoAnswer) return { ...check, verdict: 'unknown', message: 'DNS did not respond.', todo: null }
    if (!(error instanceof HostError)) throw error
    const todo = 'Ask your hosting provider to open port 25, or set an SMTP server in the settings.'
    return { ...check, verdict: 'wrong', message: 'The server does not reach other mail servers.', todo }
  }
}
