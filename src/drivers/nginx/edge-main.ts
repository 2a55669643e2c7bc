import { blockedVisitors } from './edge-blocks.ts'
import type { EdgeSettings } from './edge-settings.ts'
import { acmeLocation, FORWARDED_FOR, listenOn, scheme } from './server-block.ts'
import { checkHeaderName, checkNetwork, checkPath, checkSlug } from './values.ts'
import {
  type Argument,
  block,
  type Directive,
  directive,
  dollarVariable,
  renderNginx,
  template,
  variable,
} from './writer.ts'

export const HEALTH_PATH = '/.fleetpress/edge-health'

/** nginx.conf of a server's edge: everything that is not one site's own. Sites come from sites/*.conf next to it. */
export const edgeMain = (edge: EdgeSettings): string =>
  renderNginx([
    ...(edge.user === undefined ? [] : [directive('user', checkSlug('user', edge.user))]),
    directive('worker_processes', 'auto'),
    directive('worker_rlimit_nofile', 16_384),
    // Open terminals and downloads outlive a reload this long.
    directive('worker_shutdown_timeout', '10m'),
    directive('pid', checkPath('pidFile', edge.pidFile)),
    directive('error_log', `${checkPath('logFolder', edge.logFolder)}/error.log`, 'warn'),
    block(['events'], [directive('worker_connections', 8192)]),
    block(
      ['http'],
      [
        ...variables(edge),
        ...blockedVisitors(null, edge.blocked),
        ...accessLog(edge),
        ...connections(edge),
        ...tls,
        ...compression,
        ...proxying(),
        ...strangers(edge),
        directive('include', 'sites/*.conf'),
      ],
    ),
  ])

const fromProxy = variable('fleetpress_from_proxy')
const fromHere = variable('fleetpress_from_here')
const peer = variable('realip_remote_addr')
const upgrade = variable('fleetpress_upgrade')

const variables = ({ trustedProxies }: EdgeSettings): Directive[] => [
  dollarVariable,
  block(['geo', peer, fromHere], [directive('default', 0), directive('127.0.0.0/8', 1), directive('::1', 1)]),
  block(
    ['geo', peer, fromProxy],
    [directive('default', 0), ...trustedProxies.map(network => directive(checkNetwork('trustedProxies', network), 1))],
  ),
  // What the visitor used, even where a trusted proxy took the encryption off.
  block(
    ['map', template`${fromProxy}:${variable('http_x_forwarded_proto')}`, scheme],
    [directive('default', variable('scheme')), directive('1:https', 'https'), directive('1:http', 'http')],
  ),
  // Any other upgrade would be a way past the edge: what follows it is passed on unread.
  block(['map', variable('http_upgrade'), upgrade], [directive('default', ''), directive('websocket', 'websocket')]),
  block(['map', upgrade, variable('fleetpress_connection')], [directive('default', 'upgrade'), directive('', '')]),
  block(
    ['map', variable('server_port'), variable('fleetpress_port')],
    [directive('default', template`:${variable('server_port')}`), directive('80', ''), directive('443', '')],
  ),
]

const logged: [field: string, name: string][] = [
  ['time', 'msec'],
  ['site', 'fleetpress_site'],
  ['host', 'host'],
  ['method', 'request_method'],
  ['uri', 'request_uri'],
  ['protocol', 'server_protocol'],
  ['scheme', 'fleetpress_scheme'],
  ['status', 'status'],
  ['bytes', 'bytes_sent'],
  ['seconds', 'request_time'],
  ['upstreamSeconds', 'upstream_response_time'],
  ['address', 'remote_addr'],
  ['userAgent', 'http_user_agent'],
  ['referer', 'http_referer'],
  ['cache', 'upstream_cache_status'],
  ['blockedBy', 'fleetpress_blocked_by'],
]

/** Every value is a string: nginx writes some numbers in forms that JSON does not know. */
const accessLog = ({ logFolder }: EdgeSettings): Directive[] => {
  const fields: Argument[] = logged.map(([field, name], index) => {
    const start = index === 0 ? '{' : ','
    return template`${start}"${field}":"${variable(name)}"`
  })
  return [
    directive('log_format', 'fleetpress', 'escape=json', ...fields, '}'),
    directive('access_log', `${logFolder}/access.json`, 'fleetpress', 'buffer=32k', 'flush=1s'),
    // A request that is refused before its server is known has no site.
    directive('uninitialized_variable_warn', 'off'),
  ]
}

const connections = ({ http2, tempFolder, trustedProxies, proxyHeader = FORWARDED_FOR }: EdgeSettings): Directive[] => [
  ...(http2 ? [directive('http2', 'on')] : []),
  directive('server_tokens', 'off'),
  directive('sendfile', 'on'),
  directive('tcp_nopush', 'on'),
  directive('default_type', 'application/octet-stream'),
  // Room for ten thousand names of any length.
  directive('server_names_hash_max_size', 16_384),
  directive('server_names_hash_bucket_size', 512),
  directive('variables_hash_max_size', 4096),
  directive('keepalive_timeout', '65s'),
  directive('client_header_timeout', '15s'),
  directive('client_body_timeout', '30s'),
  directive('send_timeout', '30s'),
  directive('reset_timedout_connection', 'on'),
  directive('large_client_header_buffers', 4, '16k'),
  directive('client_body_buffer_size', '128k'),
  directive('client_max_body_size', '64m'),
  // nginx makes all of these folders at its start, also those that it never uses.
  ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name =>
    directive(`${name}_temp_path`, `${checkPath('tempFolder', tempFolder)}/${name}`),
  ),
  ...trustedProxies.map(network => directive('set_real_ip_from', checkNetwork('trustedProxies', network))),
  directive('real_ip_header', checkHeaderName('proxyHeader', proxyHeader)),
  directive('real_ip_recursive', 'on'),
]

const tls: Directive[] = [
  directive('ssl_protocols', 'TLSv1.2', 'TLSv1.3'),
  directive(
    'ssl_ciphers',
    'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:' +
      'ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305',
  ),
  directive('ssl_prefer_server_ciphers', 'off'),
  directive('ssl_session_cache', 'shared:fleetpress:20m'),
  directive('ssl_session_timeout', '1d'),
  directive('ssl_session_tickets', 'off'),
]

const compression: Directive[] = [
  directive('gzip', 'on'),
  directive('gzip_vary', 'on'),
  directive('gzip_proxied', 'any'),
  directive('gzip_comp_level', 4),
  directive('gzip_min_length', 512),
  directive(
    'gzip_types',
    'text/plain',
    'text/css',
    'text/xml',
    'text/javascript',
    'application/javascript',
    'application/json',
    'application/ld+json',
    'application/manifest+json',
    'application/rss+xml',
    'application/atom+xml',
    'application/xml',
    'image/svg+xml',
    'font/ttf',
    'font/otf',
    'application/vnd.ms-fontobject',
  ),
]

/** The same for every site, so that no block below may set its own header: it would lose all of these. */
const proxying = (): Directive[] => {
  const headers: [name: string, value: Argument][] = [
    ['Host', template`${variable('host')}${variable('fleetpress_port')}`],
    ['Connection', variable('fleetpress_connection')],
    ['Upgrade', upgrade],
    ['X-Forwarded-For', variable('remote_addr')],
    ['X-Real-IP', variable('remote_addr')],
    ['X-Forwarded-Proto', scheme],
    ['X-Forwarded-Host', template`${variable('host')}${variable('fleetpress_port')}`],
    ['X-Forwarded-Port', ''],
    ['Forwarded', ''],
    ['Proxy', ''],
  ]
  return [
    directive('proxy_http_version', '1.1'),
    ...headers.map(([name, value]) => directive('proxy_set_header', name, value)),
    directive('proxy_connect_timeout', '5s'),
    directive('proxy_read_timeout', '300s'),
    directive('proxy_send_timeout', '60s'),
    directive('proxy_buffer_size', '16k'),
    directive('proxy_buffers', 16, '16k'),
    directive('proxy_busy_buffers_size', '32k'),
  ]
}

/** Names that belong to no site: never some site, whatever the request says. */
const strangers = (edge: EdgeSettings): Directive[] => [
  block(
    ['server'],
    [
      ...listenOn(edge, false, 'default_server'),
      directive('set', variable('fleetpress_site'), ''),
      directive('set', variable('fleetpress_blocked_by'), ''),
      acmeLocation(edge),
      block(
        ['location', '=', HEALTH_PATH],
        [
          directive('access_log', 'off'),
          directive('default_type', 'text/plain'),
          block(['if', template`(${fromHere}`, '=', '0)'], [directive('return', 421)]),
          // Written by applyEdge: answers with the name of the configuration that is being served.
          directive('include', 'generation.conf'),
        ],
      ),
      block(['location', '/'], [directive('return', 421)]),
    ],
  ),
  block(
    ['server'],
    [...listenOn(edge, true, 'default_server'), directive('ssl_reject_handshake', 'on'), directive('return', 421)],
  ),
]
