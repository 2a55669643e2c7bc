import { InvalidFirewallValue, type Network, parseNetwork, withoutCovered } from './networks.ts'

export interface Firewall {
  /** Who may not visit the web ports of this server. */
  readonly blocked: readonly BlockedNetwork[]
  /** The pools that the networks of the sites are taken from. */
  readonly sites: readonly string[]
  /** TCP ports of the server itself that sites may use: the mail relay's. Everything else there is refused them. */
  readonly sitePorts: readonly number[]
  /** Where sites may not connect to, apart from each other and the cloud's metadata: private networks nearby. */
  readonly refused: readonly string[]
  /** Name servers that sites may ask even if they lie in a refused network. */
  readonly resolvers: readonly string[]
}

/** One that lies within another is left out, so the caller renders again when the wider one's time is over. */
export interface BlockedNetwork {
  readonly network: string
  /** The kernel forgets the entry by itself; permanently if absent. */
  readonly timeoutSeconds?: number
}

export const TABLE = 'fleetpress'

/** Who has these answers to hand out knows the keys of the server's account. */
const METADATA = ['169.254.0.0/16', 'fd00:ec2::254']

/** Connections of one site at a time. WordPress needs a handful; all of the edge's, or all that the kernel tracks, would be everyone's. */
const MOST_TO_SERVER = 128
const MOST_TO_WORLD = 2048

const LONGEST_TIMEOUT_SECONDS = 10 * 365 * 24 * 3600

/**
 * The whole table as one transaction that replaces the one before: at no moment is there none. Other tables, Docker's
 * among them, stay as they are: what is accepted here is still looked at there, what is refused here is over.
 */
export const renderFirewall = (firewall: Firewall): string =>
  [
    `table inet ${TABLE} {}`,
    `delete table inet ${TABLE}`,
    `table inet ${TABLE} {`,
    ...bothFamilies('blocked', 'interval, timeout', blockedEntries(firewall.blocked)),
    ...bothFamilies('sites', 'interval', entries('sites', firewall.sites)),
    ...bothFamilies('refused', 'interval', entries('refused', [...METADATA, ...firewall.refused])),
    ...bothFamilies('resolvers', 'interval', entries('resolvers', firewall.resolvers)),
    ...set('site_ports', 'inet_service', [], [...new Set(firewall.sitePorts)].map(portText)),
    ...counters('to_server'),
    ...counters('to_world'),
    ...CHAINS,
    '}',
    '',
  ].join('\n')

interface Entry {
  readonly network: Network
  readonly text: string
}

const entries = (field: string, networks: readonly string[]): Entry[] =>
  withoutCovered(
    networks.map(value => {
      const network = parseNetwork(field, value)
      return { network, text: network.text }
    }),
  )

const blockedEntries = (blocked: readonly BlockedNetwork[]): Entry[] =>
  withoutCovered(
    blocked.map(({ network: value, timeoutSeconds }) => {
      const network = parseNetwork('blocked', value)
      return { network, text: timeoutSeconds === undefined ? network.text : withTimeout(network, timeoutSeconds) }
    }),
  )

const withTimeout = ({ text }: Network, seconds: number): string => {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_TIMEOUT_SECONDS) {
    throw new InvalidFirewallValue('timeoutSeconds', 'is not a number of seconds between 1 and ten years')
  }
  return `${text} timeout ${seconds}s`
}

const portText = (port: number): string => {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new InvalidFirewallValue('sitePorts', 'contains no port')
  return String(port)
}

const bothFamilies = (name: string, flags: string, all: readonly Entry[]): string[] => {
  const textsOf = (family: 4 | 6) => all.filter(({ network }) => network.family === family).map(({ text }) => text)
  return [
    ...set(`${name}4`, 'ipv4_addr', [`flags ${flags}`], textsOf(4)),
    ...set(`${name}6`, 'ipv6_addr', [`flags ${flags}`], textsOf(6)),
  ]
}

const set = (name: string, type: string, options: readonly string[], elements: readonly string[]): string[] => [
  `  set ${name} {`,
  `    type ${type}`,
  ...options.map(option => `    ${option}`),
  ...(elements.length === 0 ? [] : ['    elements = {', ...elements.map(each => `      ${each},`), '    }']),
  '  }',
]

/** Filled by the kernel: each address with the connections that it has. */
const counters = (name: string): string[] => [
  ...set(`${name}4`, 'ipv4_addr', ['size 65535', 'flags dynamic'], []),
  ...set(`${name}6`, 'ipv6_addr', ['size 65535', 'flags dynamic'], []),
]

/**
 * Before Docker's own rules, which stand at the priority `filter`; the blocked ones even before connections are tracked.
 * Sites send mail through the relay of the server and nowhere else.
 */
const CHAINS = `
  chain prerouting {
    type filter hook prerouting priority raw; policy accept;
    ip saddr @blocked4 meta l4proto { tcp, udp } th dport { 80, 443 } drop
    ip6 saddr @blocked6 meta l4proto { tcp, udp } th dport { 80, 443 } drop
  }
  chain input {
    type filter hook input priority filter - 10; policy accept;
    ct state established,related accept
    ip saddr @sites4 jump site_to_server
    ip6 saddr @sites6 jump site_to_server
  }
  chain site_to_server {
    tcp dport @site_ports add @to_server4 { ip saddr ct count over ${MOST_TO_SERVER} } reject with tcp reset
    tcp dport @site_ports add @to_server6 { ip6 saddr ct count over ${MOST_TO_SERVER} } reject with tcp reset
    tcp dport @site_ports accept
    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept
    reject with icmpx admin-prohibited
  }
  chain forward {
    type filter hook forward priority filter - 10; policy accept;
    ct state established,related accept
    ip daddr @sites4 reject with icmpx admin-prohibited
    ip6 daddr @sites6 reject with icmpx admin-prohibited
    ip saddr @sites4 jump site_to_world
    ip6 saddr @sites6 jump site_to_world
  }
  chain site_to_world {
    add @to_world4 { ip saddr ct count over ${MOST_TO_WORLD} } reject with icmpx admin-prohibited
    add @to_world6 { ip6 saddr ct count over ${MOST_TO_WORLD} } reject with icmpx admin-prohibited
    ip daddr @resolvers4 meta l4proto { tcp, udp } th dport 53 accept
    ip6 daddr @resolvers6 meta l4proto { tcp, udp } th dport 53 accept
    ip daddr @refused4 reject with icmpx admin-prohibited
    ip6 daddr @refused6 reject with icmpx admin-prohibited
    tcp dport 25 reject with icmpx admin-prohibited
  }`
  .split('\n')
  .slice(1)
