import type { EdgeCertificate, EdgeSettings } from './edge-settings.ts'
import { acmeLocation, redirectToHttps, serverFor, unavailablePage, upstream } from './server-block.ts'
import { endpoint } from './values.ts'
import { block, directive, renderNginx } from './writer.ts'

export interface EdgePanel {
  readonly hostname: string
  /** Where the panel listens on the loopback. */
  readonly port: number
  /** None until the first certificate is there: until then only the authority's challenges are answered. */
  readonly certificate?: EdgeCertificate
  readonly bodyLimitBytes: number
}

/** The file that publishes the panel itself. What it sends is not held back: job logs and terminals are live. */
export const edgePanel = ({ hostname, port, certificate, bodyLimitBytes }: EdgePanel, edge: EdgeSettings): string =>
  renderNginx([
    upstream('panel', endpoint('port', '127.0.0.1', port)),
    serverFor(edge, [hostname], certificate, [
      directive('client_max_body_size', bodyLimitBytes),
      ...unavailablePage('The panel is not responding', 'It may be starting. Please try again in a moment.'),
      acmeLocation(edge),
      block(
        ['location', '/'],
        certificate === undefined
          ? [directive('return', 503)]
          : [
              redirectToHttps(edge),
              directive('proxy_buffering', 'off'),
              directive('proxy_request_buffering', 'off'),
              directive('proxy_read_timeout', '1h'),
              directive('proxy_pass', 'http://panel'),
            ],
      ),
    ]),
  ])
