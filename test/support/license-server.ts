import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { plugin } from './breaking-plugins.ts'
import type { Published } from './wordpress-directory.ts'

export interface LicenseServer {
  readonly port: number
  readonly key: string
  /** Sites that were activated. */
  readonly seats: Set<string>
  /** Sites whose license was withdrawn. */
  readonly revoked: Set<string>
  /** What it says to the other sites with the right key. */
  status: 'valid' | 'expired' | 'revoked'
  /** How long it takes to answer. */
  delayMs: number
  close(): void
}

/** What the author of a premium plugin runs: it counts seats, and may refuse, be slow or let licenses expire. */
export const startLicenseServer = async (key: string, mostSeats = 2): Promise<LicenseServer> => {
  const seats = new Set<string>()
  const revoked = new Set<string>()
  const state = { status: 'valid' as LicenseServer['status'], delayMs: 0 }
  const server = createServer((request, response) => {
    const answer = async () => {
      const sent = new URLSearchParams(await text(request))
      const site = sent.get('site') ?? ''
      const isKnown = sent.get('key') === key
      if (request.url === '/activate' && isKnown && seats.size < mostSeats) seats.add(site)
      const ofSite = revoked.has(site) ? 'revoked' : state.status
      const status = !isKnown ? 'unknown key' : !seats.has(site) ? 'no seat left' : ofSite
      // As careless services do, it repeats the key.
      setTimeout(() => response.end(JSON.stringify({ status, key: sent.get('key') })), state.delayMs)
    }
    void answer()
  }).listen(0, '0.0.0.0')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, { port, key, seats, revoked, close: () => void server.close() })
}

/** A plugin that asks such a server, through its own REST route. */
export const licensedPlugin = (version: string, address: string, code = ''): Published =>
  plugin(
    'acme',
    version,
    `function acme_ask($what) {
  $sent = ['key' => get_option('acme')['license']['key'] ?? '', 'site' => home_url()];
  return json_decode(wp_remote_retrieve_body(wp_remote_post('${address}/' . $what, ['body' => $sent, 'timeout' => 20])), true);
}
add_action('rest_api_init', function () {
  $may = fn () => current_user_can('manage_options');
  register_rest_route('acme/v1', '/license', [
    ['methods' => 'POST', 'permission_callback' => $may, 'callback' => fn () => acme_ask('activate')],
    ['methods' => 'GET', 'permission_callback' => $may, 'callback' => fn () => acme_ask('check')],
  ]);
});
${code}`,
  )
