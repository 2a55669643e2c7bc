import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyEdge } from '#drivers/nginx/apply-edge.ts'
import { edgeMain } from '#drivers/nginx/edge-main.ts'
import { edgeSite } from '#drivers/nginx/edge-site.ts'
import { exampleDevSite } from '#test/support/nginx/example-values.ts'
import { realNginx } from '#test/support/nginx/real-nginx.ts'
import { ask } from '#test/support/nginx/requests.ts'
import { freePort } from '#test/support/ports.ts'
import { median, report } from './report.ts'

const SITES = 500
const CHANGES = 7
const VISITORS = 8
const PAUSE_MS = 40

const site = createServer((_, response) => response.end('site'))
await once(site.listen(0, '127.0.0.1'), 'listening')
const address = site.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
const nginx = await realNginx({ httpPort: await freePort(), httpsPort: await freePort() }, ['bakery.example'])
const kept = new Agent({ keepAlive: true })

const target = { kind: 'upstream', address: '127.0.0.1', port } as const
const others = Array.from({ length: SITES - 1 }, (_, index) => {
  const name = `site-${index}`
  return [
    `sites/${name}.conf`,
    edgeSite({ ...exampleDevSite, name, hostnames: [`${name}.localhost`], redirects: [], target }, nginx.edge),
  ]
})
const apply = (version: string) => {
  const changed = edgeSite({ ...exampleDevSite, target, headers: { 'X-Version': version } }, nginx.edge)
  const files = { 'nginx.conf': edgeMain(nginx.edge), 'sites/draft.conf': changed, ...Object.fromEntries(others) }
  return applyEdge(nginx.folder, async () => files as Record<string, string>, nginx.runner)
}

const done = new AbortController()
let answered = 0
let lost = 0
/** Half of them on kept connections, half on a new one each. */
const visit = async (index: number) => {
  const host = index % 4 < 2 ? 'draft.localhost' : `site-${index}.localhost`
  while (!done.signal.aborted) {
    const asked = { port: nginx.edge.httpPort, host, ...(index % 2 === 0 && { agent: kept }) }
    const isFine = await ask(asked).then(
      ({ status, body }) => status === 200 && body === 'site',
      () => false,
    )
    if (isFine) answered += 1
    else lost += 1
    await sleep(PAUSE_MS)
  }
}

try {
  await apply('first')
  const visitors = Array.from({ length: VISITORS }, (_, index) => visit(index))
  const taken: number[] = []
  for (let change = 0; change < CHANGES; change += 1) {
    const began = performance.now()
    await apply(`change-${change}`)
    taken.push(performance.now() - began)
  }
  done.abort()
  await Promise.all(visitors)
  if (answered < CHANGES) throw new Error(`only ${answered} requests were answered`)
  report('edge-reload', [
    { name: `a change of the edge with ${SITES} sites`, unit: 'ms', ours: median(taken), limit: { atMost: 1000 } },
    {
      name: `requests lost of ${answered + lost} during ${CHANGES} changes`,
      unit: 'requests',
      ours: lost,
      limit: { atMost: 0 },
    },
  ])
} finally {
  done.abort()
  kept.destroy()
  await nginx.stop()
  site.closeAllConnections()
  site.close()
}
