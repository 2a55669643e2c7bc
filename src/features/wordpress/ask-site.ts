import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { addressOf, listHostnames, SITE_PORT, type SiteRow, siteNetwork } from '#features/sites/index.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import type { Scope } from '#platform/scope.ts'

const KEPT_BYTES = 1024 ** 2
const READ_BYTES = 64 * 1024 ** 2
const LONGEST_LINE = 2_000

type Work = Pick<Scope, 'db' | 'hosts'> & { readonly signal: AbortSignal }

interface Question {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** As a visitor of the site would by default. */
  readonly isSecure?: true | undefined
}

export interface SiteAnswer {
  readonly status: number | null
  readonly statusText: string
  readonly contentType: string
  readonly headers: IncomingHttpHeaders
  /** The first megabyte. */
  readonly text: string
  readonly truncated: boolean
  readonly sizeBytes: number
}

/** Sends a request to the web server of a site, from the server it is on. */
export const askSite = async (
  { db, hosts, signal }: Work,
  site: SiteRow,
  { path, method = 'GET', headers = {}, body, isSecure }: Question,
): Promise<SiteAnswer> => {
  const [hostname = ''] = (await listHostnames(db, [site.slug])).get(site.slug) ?? []
  const { address } = siteNetwork(site.slug, site.network_index)
  const connection = await hosts.get(site.server_id).dial({ host: address, port: SITE_PORT }, { signal })
  try {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const sent = request({
      createConnection: () => connection,
      method,
      path,
      headers: {
        host: hostname,
        'user-agent': 'Fleetpress',
        'x-forwarded-proto': isSecure || addressOf(hostname).startsWith('https:') ? 'https' : 'http',
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
      signal,
    })
    sent.on('response', resolve).on('error', reject)
    sent.end(body)
    return await readAnswer(await promise)
  } finally {
    connection.destroy()
  }
}

const readAnswer = async (response: IncomingMessage): Promise<SiteAnswer> => {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const room = KEPT_BYTES - Math.min(sizeBytes, KEPT_BYTES)
    if (room > 0) chunks.push(chunk.subarray(0, room))
    sizeBytes += chunk.length
    if (sizeBytes > READ_BYTES) break
  }
  return {
    status: response.statusCode ?? null,
    statusText: cleanLine(response.statusMessage ?? '', LONGEST_LINE),
    contentType: cleanLine(response.headers['content-type'] ?? '', LONGEST_LINE),
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
    truncated: sizeBytes > KEPT_BYTES,
    sizeBytes,
  }
}
