import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyEdge } from '#drivers/nginx/apply-edge.ts'
import { edgeLimits } from '#drivers/nginx/edge-limits.ts'
import { edgeMain } from '#drivers/nginx/edge-main.ts'
import { edgeSite } from '#drivers/nginx/edge-site.ts'
import { LEVEL_ROWS, type Level, type Overrides } from '#features/protection/levels/contract.ts'
import { resolve } from '#features/protection/levels/resolve.ts'
import { guardOf, headersOf } from '#features/protection/rules/guard.ts'
import { exampleDevSite } from '#test/support/nginx/example-values.ts'
import { realNginx } from '#test/support/nginx/real-nginx.ts'
import { type Asked, ask } from '#test/support/nginx/requests.ts'
import { freePort } from '#test/support/ports.ts'
import { perSecond } from './front-page.ts'
import { type Figure, median, report } from './report.ts'

const ROUNDS = 7
/** How long the rate of a limit is watched after its burst is used up. */
const WATCHED_MS = 10_000
const WITHIN = { atLeast: 0.9, atMost: 1.1 }

const site = createServer((_, response) => response.end('site'))
await once(site.listen(0, '127.0.0.1'), 'listening')
const address = site.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
const nginx = await realNginx({ httpPort: await freePort(), httpsPort: await freePort() }, ['x.example'])

/** So many that the load generator never meets it; everything else of Strict is in effect. */
const wide = { requests: 10_000, per: 'second' as const, burst: 100_000 }
const LIFTED: Overrides = { limits: { login: wide, xmlrpc: wide, requests: wide, assets: wide } }
const SITES: readonly [name: string, level: Level, overrides: Overrides][] = [
  ['off', 'off', {}],
  ['strict', 'strict', LIFTED],
  ['standard-limits', 'standard', {}],
  ['strict-limits', 'strict', {}],
]

const parts = SITES.map(([name, level, overrides]) => {
  const inForce = resolve({ level, overrides }, { level: 'off', overrides: {} })
  const guard = guardOf(inForce, [], { neverLimited: [], inside: [] })
  return { name, headers: headersOf(inForce.rows), ...(guard && { guard }) }
})
const files = parts.map(part => {
  const target = { kind: 'upstream', address: '127.0.0.1', port } as const
  const own = { ...exampleDevSite, ...part, hostnames: [`${part.name}.localhost`] as [string], redirects: [], target }
  return [`sites/${part.name}.conf`, edgeSite(own, nginx.edge)]
})
const limits = { 'sites/0-limits.conf': edgeLimits(parts.flatMap(({ guard }) => guard?.limits ?? [])) }
const all: Record<string, string> = { 'nginx.conf': edgeMain(nginx.edge), ...limits, ...Object.fromEntries(files) }
await applyEdge(nginx.folder, async () => all, nginx.runner)

const agent = new Agent({ keepAlive: true })
/** Through a proxy that is trusted, so that a visitor can have any address. */
const visit = (host: string, visitor: string, more: Partial<Asked> = {}) =>
  ask({
    port: nginx.edge.httpPort,
    host: `${host}.localhost`,
    from: '127.0.0.9',
    ...more,
    headers: { 'X-Forwarded-For': visitor },
  })

const throughput: Record<'off' | 'strict', number[]> = { off: [], strict: [] }
const measure = async (host: 'off' | 'strict') =>
  perSecond(async () => {
    const { status } = await ask({ port: nginx.edge.httpPort, host: `${host}.localhost`, agent })
    if (status !== 200) throw new Error(`${host} answered ${status}`)
  })
for (let round = 0; round <= ROUNDS; round += 1) {
  const [off, strict] = [await measure('off'), await measure('strict')]
  // The first round warms both.
  if (round > 0) throughput.off.push(off)
  if (round > 0) throughput.strict.push(strict)
}

const KINDS = {
  login: { path: '/wp-login.php', method: 'POST' },
  xmlrpc: { path: '/xmlrpc.php', method: 'POST' },
  requests: { path: '/', method: 'GET' },
  assets: { path: '/wp-includes/a.js', method: 'GET' },
} as const
const AT_ONCE = 64
/** Few enough for every limit. */
const OTHER_EVERY_MS = 500

/** How many of so many requests pass, sent as fast as they can be. */
const passed = async (count: number, send: () => Promise<{ status: number }>): Promise<number> => {
  let [left, good] = [count, 0]
  const visitor = async () => {
    while (left > 0) {
      left -= 1
      if ((await send()).status === 200) good += 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, visitor))
  return good
}

let turn = 0
const limitFigures = async (level: 'standard' | 'strict', kind: keyof typeof KINDS): Promise<Figure[]> => {
  const rate = LEVEL_ROWS[level].limits[kind]
  if (rate === null) return []
  turn += 1
  const [visitor, other] = [`192.0.2.${turn}`, `198.51.100.${turn}`]
  const asked = { ...KINDS[kind] }
  const send = () => visit(`${level}-limits`, visitor, asked)
  const perMs = rate.requests / (rate.per === 'second' ? 1000 : 60_000)
  const began = performance.now()
  // Many more than pass at once, so that the burst is used up.
  const atOnce = await passed(rate.burst + 1 + Math.max(5, Math.ceil(rate.burst / 5)), send)
  const burstMs = performance.now() - began
  // Not to the moment at which the next one would pass.
  const watchedMs = Math.max(WATCHED_MS, 4 / perMs) + 0.5 / perMs
  const until = performance.now() + watchedMs
  let [later, nextOther] = [0, performance.now()]
  while (performance.now() < until) {
    if ((await send()).status === 200) later += 1
    if (performance.now() > nextOther) {
      nextOther += OTHER_EVERY_MS
      if ((await visit(`${level}-limits`, other, { path: '/', method: 'GET' })).status !== 200)
        throw new Error('another address met the limit')
    }
    await sleep(Math.min(20, 0.2 / perMs))
  }
  const name = `${level}, ${kind}`
  return [
    {
      name: `${name}: passed at once, with what the rate adds`,
      unit: 'requests',
      ours: atOnce,
      peer: { name: 'the table says', value: rate.burst + 1 + perMs * burstMs },
      limit: WITHIN,
    },
    {
      name: `${name}: passed in ${Math.round(watchedMs / 1000)} s afterwards`,
      unit: 'requests',
      ours: later,
      peer: { name: 'the table says', value: Math.floor(perMs * watchedMs) },
      limit: WITHIN,
    },
  ]
}

const measured: Figure[] = []
for (const level of ['standard', 'strict'] as const)
  for (const kind of ['login', 'xmlrpc', 'requests', 'assets'] as const)
    measured.push(...(await limitFigures(level, kind)))

agent.destroy()
await nginx.stop()
site.closeAllConnections()
site.close()
report('edge-rules', [
  {
    name: 'requests through an edge with all rules of Strict',
    unit: 'requests/s',
    ours: median(throughput.strict),
    peer: { name: 'with Off', value: median(throughput.off) },
    limit: { atLeast: 0.9 },
  },
  ...measured,
])
