import { listHostnames, listSites, siteNetwork } from '#features/sites/index.ts'
import { OWNERS, SITE_POOL } from '#features/stack/index.ts'
import { type Owner } from '#platform/host/host.ts'
import { Secret } from '#platform/host/secret.ts'
import type { Scope } from '#platform/scope.ts'
import { KEY_PURPOSE, listKeys } from '../dkim/key-store.ts'
import { sendingDomains } from '../domains/sending-domains.ts'
import { relaySettings } from '../settings.ts'
import { readHostname } from './hostname.ts'
import { RELAY_ADDRESS } from './names.ts'

export interface RelayFile {
  readonly content: Secret
  readonly mode: number
  readonly owner?: Owner
}

const plain = (text: string): RelayFile => ({ content: new Secret(text), mode: 0o644 })
const secret = (text: string, owner?: Owner): RelayFile => ({
  content: new Secret(text),
  mode: 0o600,
  ...(owner && { owner }),
})

/** All that the relay of a server reads, by its path. */
export const relayFiles = async (scope: Scope, serverId: number): Promise<Map<string, RelayFile>> =>
  new Map([
    ...(await settingFiles(scope, serverId)),
    ...(await senderFiles(scope, serverId)),
    ...(await keyFiles(scope)),
  ])

const settingFiles = async (scope: Scope, serverId: number): Promise<[string, RelayFile][]> => {
  const { hostname } = await readHostname(scope, serverId)
  const settings = await scope.settings.read(relaySettings)
  const { smarthost, smarthostPort, smarthostUser, smarthostPassword } = settings
  const target = `[${smarthost}]:${smarthostPort}`
  const login = `${target} ${smarthostUser}:${smarthostPassword}\n`
  return [
    ['hostname', plain(`${hostname}\n`)],
    ['network', plain(`${RELAY_ADDRESS} ${SITE_POOL}\n`)],
    ['hourly-limit', plain(`${settings.hourlyLimit}\n`)],
    ['smarthost', plain(smarthost === '' ? '' : `${target}\n`)],
    ['smarthost-login', secret(smarthost === '' || smarthostUser === '' ? '' : login)],
  ]
}

/** Who a site is follows from its address: a file for each says what it may send as. */
const senderFiles = async ({ db }: Scope, serverId: number): Promise<[string, RelayFile][]> => {
  const sites = await listSites(db, { serverId })
  const hostnames = await listHostnames(
    db,
    sites.map(({ slug }) => slug),
  )
  return sites.map(({ slug, network_index }) => {
    const { address } = siteNetwork(slug, network_index)
    const domains = sendingDomains(hostnames.get(slug) ?? [])
    return [`senders/${address}`, plain([slug, ...domains, ''].join('\n'))]
  })
}

/** The key comes before the file that names it. */
const keyFiles = async ({ db, secrets }: Scope): Promise<[string, RelayFile][]> =>
  (await listKeys(db)).flatMap(({ domain, selector, state, sealed_private_key }): [string, RelayFile][] => {
    if (state === 'retired') return []
    const key = secret(secrets.open(KEY_PURPOSE, sealed_private_key), OWNERS.signer)
    const file: [string, RelayFile] = [`keys/${domain}/${selector}.private`, key]
    return state === 'active' ? [file, [`keys/${domain}/selector`, plain(`${selector}\n`)]] : [file]
  })
