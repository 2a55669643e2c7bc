import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { exampleDevSite } from '#test/support/nginx/example-values.ts'
import { type RealNginx, realNginx } from '#test/support/nginx/real-nginx.ts'
import { ask } from '#test/support/nginx/requests.ts'
import { freePort } from '#test/support/ports.ts'
import { SOAK } from '#test/support/soak.ts'
import { applyEdge } from './apply-edge.ts'
import { edgeMain } from './edge-main.ts'
import { edgeSite } from './edge-site.ts'

const CHANGES = SOAK ? 1000 : 40

void describe('a change of the edge', { timeout: 300_000 }, () => {
  let nginx: RealNginx
  let sitePort = 0
  const site = createServer((_request, response) => response.end('site'))

  before(async () => {
    await once(site.listen(0, '127.0.0.1'), 'listening')
    const address = site.address()
    sitePort = typeof address === 'object' && address !== null ? address.port : 0
    nginx = await realNginx({ httpPort: await freePort(), httpsPort: await freePort() }, ['bakery.example'])
  })
  after(async () => {
    await nginx?.stop()
    site.closeAllConnections()
    site.close()
  })

  const apply = (version: string) => {
    const target = { kind: 'upstream', address: '127.0.0.1', port: sitePort } as const
    const text = edgeSite({ ...exampleDevSite, target, headers: { 'X-Version': version } }, nginx.edge)
    const files = { 'nginx.conf': edgeMain(nginx.edge), 'sites/draft.conf': text }
    return applyEdge(nginx.folder, async () => files, nginx.runner)
  }
  const visit = (agent?: Agent) =>
    ask({ port: nginx.edge.httpPort, host: 'draft.localhost', ...(agent !== undefined && { agent }) })
  const servedVersion = async () => (await visit()).headers['x-version']

  void it(`disturbs no visitor: ${CHANGES} changes under load`, async context => {
    await apply('first')
    const kept = new Agent({ keepAlive: true, maxSockets: 8 })
    const failures: unknown[] = []
    let count = 0
    const done = new AbortController()
    const load = async (agent: Agent | undefined) => {
      while (!done.signal.aborted) {
        const startedAt = performance.now()
        await visit(agent).then(
          ({ status, body }) => (status === 200 && body === 'site') || failures.push({ status, body }),
          error => failures.push(error),
        )
        count += 1
        await delay(Math.max(0, 40 - (performance.now() - startedAt)))
      }
    }
    const visitors = Array.from({ length: 8 }, (_, index) => load(index % 2 === 0 ? kept : undefined))
    const startedAt = performance.now()
    try {
      for (let change = 0; change < CHANGES; change++) {
        await apply(`change-${change}`)
        assert.equal(await servedVersion(), `change-${change}`)
      }
    } finally {
      done.abort()
      await Promise.all(visitors)
      kept.destroy()
    }
    const seconds = (performance.now() - startedAt) / 1000
    context.diagnostic(`${CHANGES} changes in ${seconds.toFixed(1)} s, ${count} requests, ${failures.length} failed`)
    assert.deepEqual(failures, [])
    assert.ok(count > CHANGES * 5, `${count} requests`)
    assert.equal(await servedVersion(), `change-${CHANGES - 1}`)
  })
})
