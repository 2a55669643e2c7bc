import { blockedVisitors, refuseBlocked } from './edge-blocks.ts'
import { type EdgeGuard, guardDecision, guardEntry, guardNetworks, guardPages } from './edge-guard.ts'
import type { EdgeLimit } from './edge-limits.ts'
import type { EdgeCertificate, EdgeSettings } from './edge-settings.ts'
import {
  acmeLocation,
  FORWARDED_FOR,
  redirectToHttps,
  scheme,
  secureAddress,
  serverFor,
  unavailablePage,
  upstream,
} from './server-block.ts'
import { checkHeaderName, checkHostname, checkNetwork, checkSlug, endpoint } from './values.ts'
import { block, type Directive, directive, renderNginx, type Template, template, variable } from './writer.ts'

export interface EdgeSite {
  readonly name: string
  /** The first one is where redirects lead. */
  readonly hostnames: readonly [primary: string, ...others: string[]]
  readonly redirects: readonly EdgeRedirect[]
  readonly target: EdgeTarget
  /** None for names that need none, such as *.localhost: then there is plain HTTP only. */
  readonly certificate?: EdgeCertificate
  /** Whether plain HTTP points to HTTPS; means nothing without a certificate. */
  readonly redirectsToHttps: boolean
  /** Sent with every answer of the site, errors included. */
  readonly headers: Readonly<Record<string, string>>
  readonly bodyLimitBytes: number
  /** Servers that forward visitors of this site, and are believed about their addresses. */
  readonly forwarders?: readonly string[]
  /** How long visitors wait for a site that takes no more connections; a few seconds if absent. */
  readonly connectTimeoutSeconds?: number
  /** Visitors of this site from these addresses and networks are refused. */
  readonly blocked?: readonly string[]
  /** What is refused, and how often a visitor may come. The server that a site is forwarded to sees to it itself. */
  readonly guard?: EdgeGuard
}

/** Hostnames that only point to the primary one. */
export interface EdgeRedirect {
  readonly hostnames: readonly [first: string, ...others: string[]]
  readonly certificate?: EdgeCertificate
  /** Browsers are not to remember it. */
  readonly isTemporary?: boolean
}

interface SocketAddress {
  readonly address: string
  readonly port: number
}

/** The edge of another server answers. */
interface Forward extends SocketAddress {
  readonly kind: 'forward'
  /** Over HTTPS, that server checked with AUTHORITIES_FILE. */
  readonly isSecure: boolean
  /** Answers whatever the other server fails to answer. */
  readonly home?: SocketAddress
}

export type EdgeTarget = ({ readonly kind: 'upstream' } & SocketAddress) | Forward | { readonly kind: 'maintenance' }

/** The authorities that other servers are checked with, next to nginx.conf. */
export const AUTHORITIES_FILE = 'authorities.pem'

/** The server that answers in the end decides whom it refuses. */
const guardOf = ({ target, guard }: EdgeSite): EdgeGuard | undefined => (target.kind === 'forward' ? undefined : guard)

/** What the file with the limits of all sites has to know. */
export const limitsOf = (site: EdgeSite): readonly EdgeLimit[] => guardOf(site)?.limits ?? []

/** The file of one site in sites/. */
export const edgeSite = (site: EdgeSite, edge: EdgeSettings): string => {
  const name = checkSlug('name', site.name)
  const pool = `site_${name}`
  const guard = guardOf(site)
  const server = serverFor(edge, site.hostnames, site.certificate, [
    // Who answers is who counts the request.
    counted(site.target.kind === 'forward' ? '' : name),
    ...refuseBlocked(name, site.blocked),
    directive('client_max_body_size', site.bodyLimitBytes),
    ...believe(site, edge),
    ...patience(site),
    // One that the site sends itself would come twice.
    ...Object.keys(site.headers).map(header => directive('proxy_hide_header', checkHeaderName('headers', header))),
    ...headersOf(site),
    ...pageFor(site.target),
    ...(guard ? [...guardDecision(name, guard), ...guardPages(headersOf(site))] : []),
    ...challenges(site.target, edge, pool),
    block(
      ['location', '/'],
      [
        ...(guard ? guardEntry(guard) : []),
        ...(site.certificate !== undefined && site.redirectsToHttps ? [redirectToHttps(edge)] : []),
        ...answerFrom(site.target, pool),
      ],
    ),
    ...atHome(site.target, name, pool),
  ])
  return renderNginx([
    ...blockedVisitors(name, site.blocked),
    ...(guard ? guardNetworks(name, guard) : []),
    ...poolOf(site.target, pool),
    server,
    ...site.redirects.map(names => redirect(site, names, edge)),
  ])
}

const headersOf = ({ headers }: EdgeSite): Directive[] =>
  Object.entries(headers).map(([name, value]) =>
    directive('add_header', checkHeaderName('headers', name), template`${value}`, 'always'),
  )

const pageFor = (target: EdgeTarget): Directive[] =>
  target.kind === 'maintenance'
    ? unavailablePage('Back soon', 'This site is under maintenance. Please try again in a few minutes.')
    : unavailablePage('This site is not responding', 'Please try again in a moment.')

/** One such line takes the place of all that are in effect outside of the block. */
const believe = ({ forwarders = [] }: EdgeSite, { trustedProxies, proxyHeader }: EdgeSettings): Directive[] =>
  forwarders.length === 0
    ? []
    : [
        ...[...trustedProxies, ...forwarders].map(network =>
          directive('set_real_ip_from', checkNetwork('forwarders', network)),
        ),
        // Another edge passes the proxies' own header on unread, from anyone who sends it.
        ...(proxyHeader === undefined ? [] : [directive('real_ip_header', FORWARDED_FOR)]),
      ]

const patience = ({ connectTimeoutSeconds: seconds }: EdgeSite): Directive[] =>
  seconds === undefined ? [] : [directive('proxy_connect_timeout', seconds)]

const poolOf = (target: EdgeTarget, pool: string): Directive[] => {
  if (target.kind === 'maintenance') return []
  const home = target.kind === 'forward' ? target.home : undefined
  return [
    upstream(pool, endpoint('target', target.address, target.port)),
    ...(home === undefined ? [] : [upstream(homeOf(pool), endpoint('target.home', home.address, home.port))]),
  ]
}

const homeOf = (pool: string) => `${pool}_home`
const HOME = '@home'
const FORWARDED = '@forwarded'

const answerFrom = (target: EdgeTarget, pool: string): Directive[] => {
  if (target.kind === 'maintenance') return [directive('return', 503)]
  if (target.kind === 'upstream') return [directive('proxy_pass', `http://${pool}`)]
  const fallBack = [directive('proxy_intercept_errors', 'on'), directive('error_page', 502, 503, 504, '=', HOME)]
  return [...(target.home === undefined ? [] : fallBack), ...passOn(target, pool)]
}

const passOn = ({ isSecure }: Forward, pool: string): Directive[] =>
  isSecure
    ? [
        directive('proxy_ssl_server_name', 'on'),
        directive('proxy_ssl_name', variable('host')),
        directive('proxy_ssl_verify', 'on'),
        directive('proxy_ssl_verify_depth', 4),
        directive('proxy_ssl_trusted_certificate', AUTHORITIES_FILE),
        directive('proxy_pass', `https://${pool}`),
      ]
    : [directive('proxy_pass', `http://${pool}`)]

/** A location of this kind keeps the method and the body of the request. */
const atHome = (target: EdgeTarget, name: string, pool: string): Directive[] =>
  target.kind === 'forward' && target.home !== undefined
    ? [block(['location', HOME], [counted(name), directive('proxy_pass', `http://${homeOf(pool)}`)])]
    : []

const counted = (name: string) => directive('set', variable('fleetpress_site'), name)

/** Challenges that this server does not know are those of the server that the site has moved to. */
const challenges = (target: EdgeTarget, edge: EdgeSettings, pool: string): Directive[] =>
  target.kind === 'forward'
    ? [
        acmeLocation(edge, directive('error_page', 404, '=', FORWARDED)),
        block(['location', FORWARDED], passOn(target, pool)),
      ]
    : [acmeLocation(edge)]

const redirect = (site: EdgeSite, { hostnames, certificate, isTemporary }: EdgeRedirect, edge: EdgeSettings) =>
  serverFor(edge, hostnames, certificate, [
    counted(site.name),
    acmeLocation(edge),
    block(['location', '/'], [directive('return', isTemporary ? 302 : 301, primaryOf(site, certificate, edge))]),
  ])

/** Only a name with a certificate is reached over HTTPS. */
const primaryOf = (site: EdgeSite, certificate: EdgeCertificate | undefined, edge: EdgeSettings): Template => {
  const primary = checkHostname('hostname', site.hostnames[0])
  if (site.certificate !== undefined) return secureAddress(edge, primary)
  return certificate === undefined
    ? template`${scheme}://${primary}${variable('fleetpress_port')}${variable('request_uri')}`
    : template`http://${primary}${variable('request_uri')}`
}
