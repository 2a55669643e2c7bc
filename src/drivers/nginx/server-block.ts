import { refuseBlocked } from './edge-blocks.ts'
import type { EdgeCertificate, EdgeSettings } from './edge-settings.ts'
import { checkHostname, checkPath, checkPort } from './values.ts'
import { block, type Directive, directive, type Template, template, variable } from './writer.ts'

/** What edges report to each other in. */
export const FORWARDED_FOR = 'X-Forwarded-For'

export const scheme = variable('fleetpress_scheme')

export const listenOn = (edge: EdgeSettings, isSecure: boolean, ...options: string[]): Directive[] => {
  const port = isSecure ? checkPort('httpsPort', edge.httpsPort) : checkPort('httpPort', edge.httpPort)
  const words = isSecure ? ['ssl', ...options] : options
  const both = [directive('listen', port, ...words), directive('listen', `[::]:${port}`, ...words)]
  return edge.ipv6 ? both : both.slice(0, 1)
}

export const serverFor = (
  edge: EdgeSettings,
  hostnames: readonly string[],
  certificate: EdgeCertificate | undefined,
  directives: readonly Directive[],
): Directive =>
  block(
    ['server'],
    [
      ...listenOn(edge, false),
      ...(certificate === undefined ? [] : [...listenOn(edge, true), ...certificateFiles(certificate)]),
      directive('server_name', ...hostnames.map(name => checkHostname('hostname', name))),
      ...refuseBlocked(null, edge.blocked),
      ...directives,
    ],
  )

const certificateFiles = ({ chain, key }: EdgeCertificate): Directive[] => [
  directive('ssl_certificate', checkPath('certificate.chain', chain)),
  directive('ssl_certificate_key', checkPath('certificate.key', key)),
]

/** Answered on every name before anything else, or no certificate could ever be had or renewed. */
export const acmeLocation = ({ acmeFolder }: EdgeSettings, ...more: readonly Directive[]): Directive =>
  block(
    ['location', '^~', '/.well-known/acme-challenge/'],
    [directive('default_type', 'text/plain'), directive('alias', `${checkPath('acmeFolder', acmeFolder)}/`), ...more],
  )

export const secureAddress = ({ httpsPort }: EdgeSettings, hostname: string): Template => {
  const port = checkPort('httpsPort', httpsPort)
  return template`https://${hostname}${port === 443 ? '' : `:${port}`}${variable('request_uri')}`
}

/** For `location /` only: in a server block it would also answer the challenges of a certificate authority. */
export const redirectToHttps = (edge: EdgeSettings): Directive => {
  const port = checkPort('httpsPort', edge.httpsPort)
  const target = template`https://${variable('host')}${port === 443 ? '' : `:${port}`}${variable('request_uri')}`
  return block(['if', template`(${scheme}`, '=', 'http)'], [directive('return', 301, target)])
}

const UNAVAILABLE = '/.fleetpress/unavailable'

/** What visitors see when nothing answers behind the edge; errors that the site itself sends are left as they are. */
export const unavailablePage = (title: string, advice: string): Directive[] => [
  directive('error_page', 502, 503, 504, UNAVAILABLE),
  block(
    ['location', '=', UNAVAILABLE],
    [
      directive('internal'),
      directive('default_type', 'text/html; charset=utf-8'),
      directive('add_header', 'Cache-Control', 'no-store', 'always'),
      directive('add_header', 'Retry-After', 30, 'always'),
      directive('return', 503, plainPage(title, advice)),
    ],
  ),
  block(['location', '^~', '/.fleetpress/'], [directive('return', 404)]),
]

/** A page that needs nothing else. */
export const plainPage = (title: string, advice: string): string =>
  '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">' +
  `<title>${title}</title>` +
  '<body style="font:18px/1.5 system-ui;margin:20vh auto;max-width:32em;padding:0 1em;text-align:center">' +
  `<h1>${title}</h1><p>${advice}</p></body></html>`

/** One kept-alive pool; the edge lets go first, so that it never writes into a connection that is being closed. */
export const upstream = (name: string, server: string): Directive =>
  block(
    ['upstream', name],
    [directive('server', server), directive('keepalive', 16), directive('keepalive_timeout', '30s')],
  )
