import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { exampleDevSite, examplePanel, exampleSite } from '#test/support/nginx/example-values.ts'
import { parseConfig } from '#test/support/nginx/parse-config.ts'
import { type RealNginx, realNginx } from '#test/support/nginx/real-nginx.ts'
import { ask } from '#test/support/nginx/requests.ts'
import { freePort } from '#test/support/ports.ts'
import { applyEdge } from './apply-edge.ts'
import { edgeMain } from './edge-main.ts'
import { edgePanel } from './edge-panel.ts'
import { AUTHORITIES_FILE, edgeSite } from './edge-site.ts'
import { InvalidEdgeValue } from './errors.ts'
import { type EdgeFiles, generationOf, pathOf, removeGeneration, writeGeneration } from './generations.ts'

const payloads = [
  '\n',
  '\r',
  '\r\n',
  '\u2028',
  '\0',
  '\t',
  ';',
  '{',
  '}',
  '{}',
  '#',
  '$',
  '$host',
  '${host}',
  '"',
  "'",
  '\\',
  '\\"',
  '\\n',
  '\\t',
  ' ',
  '*',
  '~',
  '<',
  '|',
  '()',
  '../x',
  '%00',
  'ñ',
  '; return 200 CANARY;',
  '"; return 200 CANARY; #',
  '} server { listen 1; }',
  '\n}\nserver { listen 1; }',
  'a'.repeat(65_536),
]

void describe('values in the configuration', { timeout: 300_000 }, () => {
  let nginx: RealNginx
  before(async () => {
    nginx = await realNginx({ httpPort: await freePort(), httpsPort: await freePort() }, ['bakery.example'])
    writeFileSync(`${nginx.folder.path}/authorities.pem`, readFileSync(nginx.certificate.chain))
  })
  after(() => nginx?.stop())

  const directivesOf = async (files: EdgeFiles): Promise<string[][]> => {
    const id = generationOf(files)
    await writeGeneration(nginx.folder, id, files)
    try {
      return parseConfig(await nginx.dump(pathOf(nginx.folder, id))).map(words =>
        words.map(word => (word === id ? 'its own name' : word)),
      )
    } finally {
      await removeGeneration(nginx.folder, id)
    }
  }

  /** Everything that is a text, by the name of the field; what the mutation changes ends up in the files or is refused. */
  const filesWith = (field: string, mutate: (value: string) => string): EdgeFiles => {
    const edit = (name: string, value: string) => (name === field ? mutate(value) : value)
    const files = nginx.certificate
    const certificate = { chain: edit('chain', files.chain), key: edit('key', files.key) }
    const edge = {
      ...nginx.edge,
      user: edit('user', 'www-data'),
      pidFile: edit('pidFile', nginx.edge.pidFile),
      tempFolder: edit('tempFolder', nginx.edge.tempFolder),
      logFolder: edit('logFolder', nginx.edge.logFolder),
      acmeFolder: edit('acmeFolder', nginx.edge.acmeFolder),
      trustedProxies: [edit('trustedProxies', '192.0.2.0/24')],
    }
    const moved = {
      kind: 'forward',
      address: edit('address', '127.0.0.2'),
      port: 443,
      isSecure: true,
      home: { address: edit('home', '127.0.0.3'), port: 8080 },
    }
    const site = {
      ...exampleSite,
      name: edit('name', 'bakery'),
      hostnames: [edit('hostname', 'bakery.example'), edit('alias', 'alias.example')],
      redirects: [{ hostnames: [edit('redirect', 'www.example')], certificate, isTemporary: true }],
      target: moved,
      certificate,
      forwarders: [edit('forwarders', '192.0.2.9')],
      headers: { [edit('headerName', 'X-Test')]: edit('headerValue', 'value') },
    } as const
    const panel = { ...examplePanel, hostname: edit('panelHostname', 'panel.example'), certificate }
    return {
      'nginx.conf': edgeMain(edge),
      [AUTHORITIES_FILE]: readFileSync(files.chain, 'utf8'),
      'sites/bakery.conf': edgeSite({ ...site, target: { ...moved, kind: 'forward' } }, edge),
      'sites/panel.conf': edgePanel(panel, edge),
    }
  }

  const folders = ['tempFolder', 'logFolder', 'acmeFolder']
  const places = ['pidFile', 'chain', 'key']
  const names = [
    'user',
    'trustedProxies',
    'address',
    'home',
    'forwarders',
    'name',
    'hostname',
    'alias',
    'redirect',
    'panelHostname',
    'headerName',
  ]

  const prepare = (field: string, value: string) => {
    if (folders.includes(field)) mkdirSync(value, { recursive: true })
    if (!places.includes(field)) return
    mkdirSync(dirname(value), { recursive: true })
    if (field !== 'pidFile')
      writeFileSync(value, readFileSync(field === 'key' ? nginx.certificate.key : nginx.certificate.chain))
  }

  /** Whether it was accepted, which means: found in the parsed configuration as it is, and nothing else changed. */
  const tryOut = async (field: string, payload: string, plain: string[][]): Promise<boolean> => {
    let original = ''
    let changed = ''
    const mutate = (value: string) => {
      original = value
      changed = value + payload
      return changed
    }
    try {
      const files = filesWith(field, mutate)
      prepare(field, changed)
      const found = await directivesOf(files)
      const expected = plain.map(words => words.map(word => word.replaceAll(original, changed)))
      assert.deepEqual(found, expected, `${field} with ${JSON.stringify(payload)}`)
      assert.notDeepEqual(found, plain)
      return true
    } catch (error) {
      if (error instanceof InvalidEdgeValue) return false
      throw error
    }
  }

  for (const field of [...folders, ...places, ...names, 'headerValue'])
    void it(`${field} is refused or stays one value`, async () => {
      const plain = await directivesOf(filesWith('', value => value))
      let accepted = 0
      for (const payload of payloads) if (await tryOut(field, payload, plain)) accepted += 1
      // So that neither side of the sweep is empty without anybody noticing.
      if (names.includes(field)) assert.ok(accepted <= 4, `${accepted} accepted`)
      else assert.ok(accepted >= 15 && accepted < payloads.length, `${accepted} accepted`)
    })

  void it('a header reaches the visitor as it was written', async () => {
    const site = createServer((_request, response) => response.end('site'))
    await once(site.listen(0, '127.0.0.1'), 'listening')
    const address = site.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const sendable = payloads.filter(payload => !/[\0\r\n\t]/.test(payload) && payload.length < 100)
    const headers = Object.fromEntries(sendable.map((payload, index) => [`X-Test-${index}`, `<${payload}>`]))
    const target = { kind: 'upstream', address: '127.0.0.1', port } as const
    const files = {
      'nginx.conf': edgeMain(nginx.edge),
      'sites/draft.conf': edgeSite({ ...exampleDevSite, target, headers }, nginx.edge),
    }
    try {
      await applyEdge(nginx.folder, async () => files, nginx.runner)
      const answer = await ask({ port: nginx.edge.httpPort, host: 'draft.localhost' })
      const received = sendable.map((_, index) =>
        Buffer.from(String(answer.headers[`x-test-${index}`]), 'latin1').toString(),
      )
      assert.deepEqual(received, Object.values(headers))
    } finally {
      site.closeAllConnections()
      site.close()
    }
  })

  for (const name of readdirSync(new URL('golden', import.meta.url)))
    void it(`nginx accepts ${name}`, async () => {
      const { edge, certificate } = nginx
      const golden = (file: string) =>
        readFileSync(new URL(`golden/${file}`, import.meta.url), 'utf8')
          .replaceAll(/\/srv\/fleetpress\/edge\/certs\/\w+\/fullchain\.pem/g, certificate.chain)
          .replaceAll(/\/srv\/fleetpress\/edge\/certs\/\w+\/key\.pem/g, certificate.key)
          .replaceAll('/var/cache/fleetpress', edge.tempFolder)
          .replaceAll('/var/log/fleetpress', edge.logFolder)
          .replaceAll('/run/nginx.pid', edge.pidFile)
          .replace(edge.http2 ? '' : '  http2 on;\n', '')
      const isMain = name.startsWith('main')
      const main = name.includes('blocked') ? 'main-blocked.conf' : 'main.conf'
      const found = await directivesOf({
        'nginx.conf': golden(main),
        [AUTHORITIES_FILE]: readFileSync(certificate.chain, 'utf8'),
        'sites/one.conf': golden(isMain ? 'site.conf' : name),
      })
      assert.ok(found.length > 100)
    })
})
