import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

interface Kept {
  id: string
  zone_id: string
  name: string
  type: string
  content: string
  ttl: number
  comment: string | null
  proxied: boolean
}

export interface Cloudflare {
  readonly baseUrl: string
  readonly token: string
  readonly readingToken: string
  readonly records: Kept[]
  /**
   * How the next requests with one of these methods end: limited, failed, done without anyone hearing of it, or done and
   * answered late.
   */
  readonly faults: { methods: string[]; kind: 429 | 502 | 'silence' | 'late' }[]
  readonly asked: string[]
  put(record: { name: string; type: string; content: string }): void
  stop(): Promise<void>
}

class Refusal extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const newId = (): string => randomBytes(16).toString('hex')

/** Speaks the part of Cloudflare's documented API that the driver uses: tokens, zones, records, error codes. */
export const startCloudflare = async (zoneNames: readonly string[], lateMs = 1000): Promise<Cloudflare> => {
  const zones = zoneNames.map(name => ({ id: newId(), name, status: 'active' }))
  const [token, readingToken] = [randomBytes(30).toString('base64url'), randomBytes(30).toString('base64url')]
  const records: Kept[] = []
  const faults: Cloudflare['faults'] = []
  const asked: string[] = []
  const zoneOf = (name: string) => zones.find(zone => name.endsWith(zone.name))?.id ?? ''
  const route = (method: string, url: URL, authorization = '', body: Partial<Kept> = {}): object => {
    const given = /^Bearer ([\w-]{40})$/.exec(authorization)?.[1]
    if (given === undefined) throw new Refusal(400, 6003, 'Invalid request headers')
    if (given !== token && given !== readingToken) throw new Refusal(403, 9109, 'Invalid access token')
    const path = url.pathname.replace('/client/v4', '')
    if (path === '/zones') return paged(zones, url)
    const [, zoneId = '', id] = /^\/zones\/(\w+)\/dns_records(?:\/(\w+))?$/.exec(path) ?? []
    if (!zones.some(zone => zone.id === zoneId)) throw new Refusal(403, 10_000, 'Authentication error')
    if (method !== 'GET' && given === readingToken) throw new Refusal(403, 10_000, 'Authentication error')
    const own = records.filter(record => record.zone_id === zoneId)
    if (method === 'GET')
      return paged(
        own.filter(record => record.name === url.searchParams.get('name.exact')),
        url,
      )
    if (method === 'POST') return { result: create(records, zoneId, body) }
    const at = records.findIndex(record => record.id === id && record.zone_id === zoneId)
    if (at < 0) throw new Refusal(404, 81_044, 'Record does not exist.')
    return { result: { id: records.splice(at, 1)[0]?.id } }
  }
  const answer = async (request: IncomingMessage): Promise<[number, object] | undefined> => {
    const url = new URL(request.url ?? '', 'http://localhost')
    asked.push(`${request.method} ${url.pathname}`)
    const body = await text(request)
    const fault = faults[0]?.methods.includes(request.method ?? '') ? faults.shift() : undefined
    if (typeof fault?.kind === 'number') return [fault.kind, { success: false, errors: [], result: null }]
    const done = outcomeOf(() => route(request.method ?? '', url, request.headers.authorization, jsonOf(body)))
    if (fault?.kind === 'late') await sleep(lateMs)
    return fault?.kind === 'silence' ? undefined : done
  }
  const server = createServer((request, response) => {
    const respond = async () => {
      const [status, body] = (await answer(request)) ?? []
      if (status === undefined) return
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(body))
    }
    void respond()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
    token,
    readingToken,
    records,
    faults,
    asked,
    put: record => void create(records, zoneOf(record.name), { ...record, ttl: 300 }),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const jsonOf = (body: string) => (body === '' ? {} : (JSON.parse(body) as Partial<Kept>))

const outcomeOf = (work: () => object): [number, object] => {
  try {
    return [200, { success: true, errors: [], messages: [], ...work() }]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { status, code, message } = error
    return [status, { success: false, errors: [{ code, message }], messages: [], result: null }]
  }
}

const paged = (all: readonly object[], url: URL): object => {
  const [page, size] = [Number(url.searchParams.get('page') ?? 1), Number(url.searchParams.get('per_page') ?? 20)]
  const result = all.slice((page - 1) * size, page * size)
  const info = { page, per_page: size, total_count: all.length, total_pages: Math.ceil(all.length / size) }
  return { result, result_info: info }
}

const create = (records: Kept[], zoneId: string, body: Partial<Kept>): Kept => {
  const { name = '', type = '', content = '', ttl = 1, comment = null, proxied = false } = body
  if (name === '' || type === '' || content === '') throw new Refusal(400, 9005, 'Content for record is invalid.')
  const same = records.filter(record => record.name === name && record.zone_id === zoneId)
  if (same.some(record => record.type === type && record.content === content))
    throw new Refusal(400, 81_058, 'An identical record already exists.')
  if (same.some(record => (record.type === 'CNAME') !== (type === 'CNAME')))
    throw new Refusal(400, 81_053, 'An A, AAAA, or CNAME record with that host already exists.')
  const record = { id: newId(), zone_id: zoneId, name, type, content, ttl, comment, proxied }
  records.push(record)
  return record
}
