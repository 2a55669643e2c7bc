import type { EdgePanel } from '#drivers/nginx/edge-panel.ts'
import type { EdgeSettings } from '#drivers/nginx/edge-settings.ts'
import type { EdgeSite } from '#drivers/nginx/edge-site.ts'

export const exampleEdge: EdgeSettings = {
  httpPort: 80,
  httpsPort: 443,
  ipv6: true,
  http2: true,
  user: 'www-data',
  pidFile: '/run/nginx.pid',
  tempFolder: '/var/cache/fleetpress',
  logFolder: '/var/log/fleetpress',
  acmeFolder: '/srv/fleetpress/edge/acme',
  trustedProxies: ['192.0.2.0/24', '2001:db8::/32'],
}

const certificate = {
  chain: '/srv/fleetpress/edge/certs/c1/fullchain.pem',
  key: '/srv/fleetpress/edge/certs/c1/key.pem',
}

export const exampleSite: EdgeSite = {
  name: 'bakery',
  hostnames: ['bakery.example', 'shop.bakery.example'],
  redirects: [{ hostnames: ['www.bakery.example'], certificate }],
  target: { kind: 'upstream', address: '10.77.0.2', port: 8080 },
  certificate,
  redirectsToHttps: true,
  headers: { 'X-Frame-Options': 'SAMEORIGIN', 'X-Price': 'from $5; "each"' },
  bodyLimitBytes: 64 * 1024 * 1024,
}

export const exampleDevSite: EdgeSite = {
  name: 'draft',
  hostnames: ['draft.localhost'],
  redirects: [],
  target: { kind: 'upstream', address: '10.77.0.6', port: 8080 },
  redirectsToHttps: true,
  headers: {},
  bodyLimitBytes: 64 * 1024 * 1024,
}

export const examplePanel: EdgePanel = {
  hostname: 'panel.example',
  port: 8090,
  certificate: { chain: '/srv/fleetpress/edge/certs/p/fullchain.pem', key: '/srv/fleetpress/edge/certs/p/key.pem' },
  bodyLimitBytes: 2 * 1024 * 1024 * 1024,
}
