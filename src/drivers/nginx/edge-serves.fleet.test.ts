import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { exampleSite } from '#test/support/nginx/example-values.ts'
import { type RealNginx, realNginx } from '#test/support/nginx/real-nginx.ts'
import { ask } from '#test/support/nginx/requests.ts'
import { freePort } from '#test/support/ports.ts'
import { applyEdge } from './apply-edge.ts'
import { edgeMain } from './edge-main.ts'
import { edgePanel } from './edge-panel.ts'
import { type EdgeSite, edgeSite } from './edge-site.ts'

const outerAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? assert.fail('no address')

void describe('the edge', { timeout: 300_000 }, () => {
  let nginx: RealNginx
  const seen: IncomingMessage[] = []
  const site = createServer((request, response) => {
    seen.push(request)
    response.statusCode = request.url === '/broken' ? 503 : 200
    response.end(`site ${request.url}`)
  })
  const http = (host: string, path = '/', headers = {}) => ask({ port: nginx.edge.httpPort, host, path, headers })
  const https = (host: string, path = '/', secureName = host) =>
    ask({ port: nginx.edge.httpsPort, host, path, secureName })

  before(async () => {
    await once(site.listen(0, '127.0.0.1'), 'listening')
    const address = site.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    site.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\nhello'),
    )
    nginx = await realNginx({ httpPort: await freePort(), httpsPort: await freePort() }, ['bakery.example'])
    const { certificate, edge } = nginx
    const target = { kind: 'upstream', address: '127.0.0.1', port } as const
    const www = { hostnames: ['www.bakery.example'], certificate } as const
    const bakery: EdgeSite = { ...exampleSite, redirects: [www], target, certificate }
    const { certificate: _, ...plain } = bakery
    const sites: Record<string, string> = {
      'sites/bakery.conf': edgeSite(bakery, edge),
      'sites/draft.conf': edgeSite({ ...plain, name: 'draft', hostnames: ['draft.localhost'], redirects: [] }, edge),
      'sites/gone.conf': edgeSite(
        {
          ...plain,
          name: 'gone',
          hostnames: ['gone.localhost'],
          redirects: [
            { hostnames: ['old.localhost'] },
            { hostnames: ['secured.example'], certificate },
            { hostnames: ['coming.localhost'], isTemporary: true },
          ],
          target: { ...target, port: 1 },
        },
        edge,
      ),
      'sites/closed.conf': edgeSite(
        { ...plain, name: 'closed', hostnames: ['closed.localhost'], redirects: [], target: { kind: 'maintenance' } },
        edge,
      ),
      'sites/moved.conf': edgeSite(
        {
          ...plain,
          name: 'moved',
          hostnames: ['moved.localhost'],
          redirects: [],
          target: { ...target, kind: 'forward', isSecure: false },
        },
        edge,
      ),
      'sites/held.conf': edgeSite(
        {
          ...plain,
          name: 'held',
          hostnames: ['held.localhost'],
          redirects: [],
          target: { ...target, kind: 'forward', port: 1, isSecure: false, home: target },
        },
        edge,
      ),
      'sites/arrived.conf': edgeSite(
        { ...plain, name: 'arrived', hostnames: ['arrived.localhost'], redirects: [], forwarders: ['127.0.0.8'] },
        edge,
      ),
      'sites/panel.conf': edgePanel({ hostname: 'panel.example', port, certificate, bodyLimitBytes: 1000 }, edge),
    }
    await applyEdge(nginx.folder, async () => ({ 'nginx.conf': edgeMain(edge), ...sites }), nginx.runner)
  })
  after(async () => {
    await nginx?.stop()
    site.closeAllConnections()
    site.close()
  })

  void it('answers 421 for a hostname it does not know, and never with a site', async () => {
    for (const host of ['unknown.example', '127.0.0.1', 'bakery.example.evil', '_', '']) {
      const { status, body } = await http(host)
      assert.ok(status === 421 || (host === '' && status === 400), `${host}: ${status}`)
      assert.ok(!body.includes('site /'))
    }
    assert.equal((await https('unknown.example', '/', 'bakery.example')).status, 421)
    await assert.rejects(https('unknown.example'), /unrecognized name/)
  })

  void it('leads visitors to HTTPS and to the primary name', async () => {
    const { httpsPort } = nginx.edge
    const first = await http('bakery.example', '/a?b=c')
    assert.deepEqual([first.status, first.headers.location], [301, `https://bakery.example:${httpsPort}/a?b=c`])
    const second = await https('www.bakery.example', '/a')
    assert.deepEqual([second.status, second.headers.location], [301, `https://bakery.example:${httpsPort}/a`])
    const third = await http('old.localhost', '/a')
    assert.equal(third.headers.location, `http://gone.localhost:${nginx.edge.httpPort}/a`)
    const fourth = await https('secured.example', '/a?b=c')
    assert.deepEqual([fourth.status, fourth.headers.location], [301, 'http://gone.localhost/a?b=c'])
    assert.equal((await http('coming.localhost')).status, 302)
  })

  void it('tells the site who asked, and lets no one lie about it', async () => {
    const lies = { 'X-Forwarded-For': '6.6.6.6', 'X-Forwarded-Proto': 'https', Forwarded: 'for=6.6.6.6', Proxy: 'x' }
    assert.equal((await http('draft.localhost', '/who', lies)).body, 'site /who')
    const { headers } = seen.at(-1) ?? assert.fail()
    assert.equal(headers['x-forwarded-for'], '127.0.0.1')
    assert.equal(headers['x-forwarded-proto'], 'http')
    assert.equal(headers.host, `draft.localhost:${nginx.edge.httpPort}`)
    assert.deepEqual([headers.forwarded, headers.proxy, headers.upgrade], [undefined, undefined, undefined])
  })

  void it('believes a trusted proxy', async () => {
    const headers = { 'X-Forwarded-For': '6.6.6.6, 203.0.113.5', 'X-Forwarded-Proto': 'https' }
    const answer = await ask({ port: nginx.edge.httpPort, host: 'bakery.example', headers, from: '127.0.0.9' })
    assert.equal(answer.status, 200)
    assert.equal(seen.at(-1)?.headers['x-forwarded-for'], '203.0.113.5')
    assert.equal(seen.at(-1)?.headers['x-forwarded-proto'], 'https')
  })

  void it('believes a server that forwards, for the one site that has moved from it', async () => {
    const from = (host: string, address: string) =>
      ask({ port: nginx.edge.httpPort, host, headers: { 'X-Forwarded-For': '203.0.113.5' }, from: address })
    const seenAddress = async (host: string, address: string) => {
      assert.equal((await from(host, address)).status, 200)
      return seen.at(-1)?.headers['x-forwarded-for']
    }
    assert.equal(await seenAddress('arrived.localhost', '127.0.0.8'), '203.0.113.5')
    assert.equal(await seenAddress('arrived.localhost', '127.0.0.9'), '203.0.113.5', 'as every trusted proxy')
    assert.equal(await seenAddress('arrived.localhost', '127.0.0.7'), '127.0.0.7')
    assert.equal(await seenAddress('draft.localhost', '127.0.0.8'), '127.0.0.8')
  })

  void it('answers from home what the server that takes over does not, with the body that was sent', async () => {
    const socket = connect(nginx.edge.httpPort, '127.0.0.1')
    socket.write('POST /kept HTTP/1.1\r\nHost: held.localhost\r\nConnection: close\r\nContent-Length: 4\r\n\r\nnote')
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    assert.match(text, /^HTTP\/1\.1 200 /)
    assert.match(text, /site \/kept/)
    const { method, headers } = seen.at(-1) ?? assert.fail()
    assert.deepEqual([method, headers['content-length']], ['POST', '4'])
  })

  void it('forwards under the name that was asked for, challenges of an authority included', async () => {
    for (const path of ['/page', '/.well-known/acme-challenge/unknown-here']) {
      assert.equal((await http('moved.localhost', path)).body, `site ${path}`)
      assert.equal(seen.at(-1)?.headers.host, `moved.localhost:${nginx.edge.httpPort}`)
    }
    assert.equal((await http('draft.localhost', '/.well-known/acme-challenge/unknown-here')).status, 404)
  })

  void it('sends the headers of the site with every answer, dollar signs and quotes as they are', async () => {
    for (const path of ['/', '/broken']) {
      const { headers, body } = await https('bakery.example', path)
      assert.equal(headers['x-price'], 'from $5; "each"')
      assert.equal(body, `site ${path}`)
    }
  })

  void it('carries websockets and no other upgrade', async () => {
    const upgraded = async (protocol: string) => {
      const socket = connect(nginx.edge.httpPort, '127.0.0.1')
      socket.write(`GET / HTTP/1.1\r\nHost: draft.localhost\r\nConnection: upgrade\r\nUpgrade: ${protocol}\r\n\r\n`)
      const [chunk] = await once(socket, 'data')
      socket.destroy()
      return String(chunk)
    }
    assert.match(await upgraded('WebSocket'), /^HTTP\/1.1 101 /)
    assert.match(await upgraded('h2c'), /^HTTP\/1.1 200 /)
  })

  void it('shows a page when nothing answers behind it, and hides its own paths', async () => {
    const gone = await http('gone.localhost')
    assert.equal(gone.status, 502)
    assert.match(gone.body, /This site is not responding/)
    const closed = await http('closed.localhost', '/wp-admin/')
    assert.deepEqual([closed.status, closed.headers['retry-after']], [503, '30'])
    assert.match(closed.body, /Back soon/)
    assert.equal((await http('draft.localhost', '/.fleetpress/health')).status, 404)
    assert.equal((await http('draft.localhost', '/.fleetpress/unavailable')).status, 404)
  })

  void it('answers the challenges of a certificate authority on every name', async () => {
    const { host, path } = nginx.folder
    await host.writeFile(`${path}/acme/token-1`, 'token-1.key', { mode: 0o644 })
    for (const name of ['bakery.example', 'www.bakery.example', 'panel.example', 'unknown.example', 'closed.localhost'])
      assert.equal((await http(name, '/.well-known/acme-challenge/token-1')).body, 'token-1.key', name)
    const outside = await http('bakery.example', '/.well-known/acme-challenge/..%2fkey.pem')
    assert.equal(outside.status, 301)
    assert.equal((await http('bakery.example', '/.well-known/acme-challenge/')).status, 403)
  })

  void it('publishes the panel over HTTPS only', async () => {
    assert.equal((await http('panel.example')).status, 301)
    assert.equal((await https('panel.example', '/docs')).body, 'site /docs')
    assert.equal(seen.at(-1)?.headers['x-forwarded-proto'], 'https')
  })

  void it('tells its health to the machine itself only', async () => {
    const path = '/.fleetpress/edge-health'
    assert.match((await http('x', path)).body, /^[0-9a-f]{20}$/)
    const far = await ask({
      port: nginx.edge.httpPort,
      host: 'x',
      path,
      headers: { 'X-Forwarded-For': '127.0.0.1' },
      from: outerAddress(),
    })
    assert.equal(far.status, 421)
  })

  void it('logs each request as one line of JSON, whatever the request holds', async () => {
    const marker = `/logged-${process.pid}`
    await http('draft.localhost', `${marker}?"\\x`, { 'User-Agent': 'a"b\\c{}\t', Referer: 'http://r/' })
    const { host, path } = nginx.folder
    let line: string | undefined
    for (let tries = 0; line === undefined && tries < 100; tries++) {
      await delay(50)
      const text = (await host.readFile(`${path}/log/access.json`)).toString()
      line = text.split('\n').find(each => each.includes(marker))
    }
    const entry: unknown = JSON.parse(line ?? '')
    assert.partialDeepStrictEqual(entry, {
      site: 'draft',
      host: 'draft.localhost',
      method: 'GET',
      uri: `${marker}?"\\x`,
      status: '200',
      address: '127.0.0.1',
      userAgent: 'a"b\\c{}\t',
      referer: 'http://r/',
      blockedBy: '',
    })
  })
})
