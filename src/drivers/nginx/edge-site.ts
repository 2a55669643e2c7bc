import type { EdgeCertificate, EdgeSettings } from './edge-settings.ts'
import {
  acmeLocation,
  redirectToHttps,
  scheme,
  secureAddress,
  serverFor,
  unavailablePage,
  upstream,
} from './server-block.ts'
import { checkHeaderName, checkHostname, checkPath, checkSlug, endpoint } from './values.ts'
import { block, type Directive, directive, renderNginx, template, variable } from './writer.ts'

export interface EdgeSite {
  readonly name: string
  /** The first one is where redirects lead. */
  readonly hostnames: readonly [primary: string, ...others: string[]]
  /** Host names that only lead to the primary one. */
  readonly redirects: readonly string[]
  readonly target: EdgeTarget
  /** None for names that need none, such as *.localhost: then there is plain HTTP only. */
  readonly certificate?: EdgeCertificate
  /** Whether plain HTTP leads to HTTPS; means nothing without a certificate. */
  readonly redirectsToHttps: boolean
  /** Sent with every answer of the site, errors included. */
  readonly headers: Readonly<Record<string, string>>
  readonly bodyLimitBytes: number
}

/**
 * `forward` is for a site that has moved: the edge of its new server answers, over HTTPS when `caFile` names the
 * authorities to check that server with.
 */
export type EdgeTarget =
  | { readonly kind: 'upstream'; readonly address: string; readonly port: number }
  | { readonly kind: 'forward'; readonly address: string; readonly port: number; readonly caFile?: string }
  | { readonly kind: 'maintenance' }

/** The file of one site in sites/. */
export const edgeSite = (site: EdgeSite, edge: EdgeSettings): string => {
  const name = checkSlug('name', site.name)
  const pool = `site_${name}`
  const server = serverFor(edge, site.hostnames, site.certificate, [
    directive('set', variable('fleetpress_site'), name),
    directive('client_max_body_size', site.bodyLimitBytes),
    ...headersOf(site),
    ...pageFor(site.target),
    acmeLocation(edge),
    block(
      ['location', '/'],
      [
        ...(site.certificate !== undefined && site.redirectsToHttps ? [redirectToHttps(edge)] : []),
        ...answerFrom(site.target, pool),
      ],
    ),
  ])
  return renderNginx([...poolOf(site.target, pool), server, ...redirectsOf(site, edge)])
}

const headersOf = ({ headers }: EdgeSite): Directive[] =>
  Object.entries(headers).map(([name, value]) =>
    directive('add_header', checkHeaderName('headers', name), template`${value}`, 'always'),
  )

const pageFor = (target: EdgeTarget): Directive[] =>
  target.kind === 'maintenance'
    ? unavailablePage('Back soon', 'This site is being worked on. Please try again in a few minutes.')
    : unavailablePage('This site does not answer', 'Please try again in a moment.')

const poolOf = (target: EdgeTarget, pool: string): Directive[] =>
  target.kind === 'maintenance' ? [] : [upstream(pool, endpoint('target', target.address, target.port))]

const answerFrom = (target: EdgeTarget, pool: string): Directive[] => {
  if (target.kind === 'maintenance') return [directive('return', 503)]
  if (target.kind === 'upstream' || target.caFile === undefined) return [directive('proxy_pass', `http://${pool}`)]
  return [
    directive('proxy_ssl_server_name', 'on'),
    directive('proxy_ssl_name', variable('host')),
    directive('proxy_ssl_verify', 'on'),
    directive('proxy_ssl_verify_depth', 4),
    directive('proxy_ssl_trusted_certificate', checkPath('target.caFile', target.caFile)),
    directive('proxy_pass', `https://${pool}`),
  ]
}

const redirectsOf = (site: EdgeSite, edge: EdgeSettings): Directive[] => {
  if (site.redirects.length === 0) return []
  const primary = checkHostname('hostname', site.hostnames[0])
  const target =
    site.certificate === undefined
      ? template`${scheme}://${primary}${variable('fleetpress_port')}${variable('request_uri')}`
      : secureAddress(edge, primary)
  return [
    serverFor(edge, site.redirects, site.certificate, [
      directive('set', variable('fleetpress_site'), site.name),
      acmeLocation(edge),
      block(['location', '/'], [directive('return', 301, target)]),
    ]),
  ]
}
