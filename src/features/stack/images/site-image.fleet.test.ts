import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { DockerError } from '#drivers/docker/client.ts'
import type { ContainerSpec } from '#drivers/docker/container-spec.ts'
import { findContainer, listContainers, removeContainer, stopContainer } from '#drivers/docker/containers.ts'
import { ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { ensureNetwork, removeNetwork } from '#drivers/docker/networks.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { askFastcgi } from '#test/support/images/fastcgi.ts'
import { dockerOf } from '../docker-of.ts'
import { ensureImage } from './ensure-image.ts'
import { PHP_VERSIONS, type PhpVersion, siteImage } from './recipes.ts'

const BUILD_LIMIT_MS = 15 * 60_000
const MIB = 1024 ** 2
const EXTENSIONS =
  'curl dom exif fileinfo gd imagick intl mbstring mysqli openssl redis SimpleXML sodium xml zip'.split(' ')
/** Which mirrors of the oldest suite may no longer have. */
const EXTRAS: Record<PhpVersion, string[]> = { '7.4': [], '8.2': ['bcmath', 'soap'], '8.4': ['bcmath', 'soap'] }

const host = new LocalHost()
const docker = dockerOf(host)
const unique = `fptest${randomBytes(4).toString('hex')}`
const labels = { 'fleetpress.test': unique }
let folder = ''

const specFor = (image: string, prefix: string): ContainerSpec => ({
  name: `${unique}-site`,
  image,
  user: '33:33',
  readOnly: true,
  mounts: [{ source: `${folder}/html`, target: '/var/www/html' }],
  tmpfs: [
    { target: '/tmp', sizeBytes: 64 * MIB },
    { target: '/run', sizeBytes: 8 * MIB, uid: 33, gid: 33, mode: 0o755 },
  ],
  network: { name: `${unique}-net`, ip: `${prefix}.2` },
  limits: { memoryBytes: 512 * MIB, cpus: 2, pids: 100 },
  env: { FLEETPRESS_GATEWAY: `${prefix}.1` },
  labels,
  restart: 'no',
  stopTimeoutSeconds: 10,
})

interface Answer {
  readonly status: number
  readonly body: string
}

const get = (address: string, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const outgoing = request({ host: address, port: 8080, path, headers, timeout: 10_000 }, response => {
      text(response).then(body => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    outgoing.on('error', reject).end()
  })

const Top = z.object({ Titles: z.array(z.string()), Processes: z.array(z.array(z.string())) })

const PAGE = `<?php echo json_encode([$_SERVER['REMOTE_ADDR'], $_SERVER['HTTPS'] ?? 'off', $_SERVER['SERVER_PORT'],
  $_SERVER['HTTP_HOST'], posix_getuid(), count(timezone_identifiers_list()) > 300]);`

const siteCases = (php: PhpVersion) => {
  let spec: ContainerSpec
  let address = ''
  const inSite = (...argv: [string, ...string[]]) => execIn(docker, spec.name, argv)

  before(async () => {
    await mkdir(`${folder}/html`)
    await chown(`${folder}/html`, 33, 33)
    const image = await ensureImage(siteImage(php), { host, dataDir: folder })
    const prefix = `10.214.${randomBytes(1)[0] ?? 0}`
    address = `${prefix}.2`
    await ensureNetwork(docker, { name: `${unique}-net`, subnet: `${prefix}.0/29`, gateway: `${prefix}.1`, labels })
    spec = specFor(image, prefix)
    await ensureContainer(docker, spec)
    await waitHealthy(docker, spec.name, { timeoutMs: 30_000 })
  })
  after(async () => {
    for (const { id } of await listContainers(docker, labels)) await removeContainer(docker, id)
    await removeNetwork(docker, `${unique}-net`)
    await rm(`${folder}/html`, { recursive: true })
  })

  void it('serves PHP, and knows the visitor as the edge tells', async () => {
    await writeFile(`${folder}/html/index.php`, PAGE)
    const headers = { host: 'shop.example', 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const { status, body } = await get(address, '/', headers)
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(body), ['203.0.113.9', 'on', '443', 'shop.example', 33, true])
    assert.equal((await get(address, '/some/pretty/link/', headers)).body, body)
    assert.equal((await get(address, '/missing.php')).status, 404)
    await writeFile(`${folder}/html/.secret`, 'x')
    assert.equal((await get(address, '/.secret')).status, 404)
    assert.equal((await get(address, '/.fleetpress/health', { 'x-forwarded-for': '127.0.0.1' })).status, 404)
  })

  void it('has the PHP and the extensions that WordPress wants', async () => {
    const { stdout } = await inSite('php', '-m')
    const loaded = new Set(stdout.split('\n'))
    assert.ok(loaded.has('Zend OPcache'))
    assert.deepEqual(
      [...EXTENSIONS, ...EXTRAS[php]].filter(name => !loaded.has(name)),
      [],
    )
    assert.ok((await inSite('php', '--version')).stdout.startsWith(`PHP ${php}.`))
  })

  void it('has WP-CLI, which starts from compiled files, and the programs it calls', async () => {
    const first = await inSite('wp', '--version')
    assert.deepEqual([first.stdout, first.stderr], ['WP-CLI 2.12.0\n', ''])
    const compiled = await inSite('find', '/tmp/opcache', '-name', '*.bin')
    assert.ok(compiled.stdout.split('\n').length > 50, compiled.stdout)
    for (const program of ['mysql', 'mysqldump']) assert.equal((await inSite(program, '--version')).exitCode, 0)
  })

  void it('has no process but those of www-data', async () => {
    const path = `/containers/${spec.name}/top`
    const { Titles, Processes } = await docker.json(Top, { path, query: { ps_args: '-eo pid,uid,gid,args' } })
    assert.deepEqual(Titles.slice(1, 3), ['UID', 'GID'])
    assert.ok(Processes.length >= 4, JSON.stringify(Processes))
    for (const [, uid, gid, program] of Processes) assert.deepEqual([uid, gid], ['33', '33'], program)
    assert.notEqual((await inSite('touch', '/etc/x')).exitCode, 0)
  })

  void it('runs scripts of the image for the panel, and none of the site', async () => {
    await writeFile(`${folder}/html/.user.ini`, 'auto_prepend_file=/var/www/html/evil.php\n')
    await writeFile(`${folder}/html/evil.php`, '<?php echo "EVIL";')
    const asked = { REQUEST_METHOD: 'GET', SCRIPT_NAME: '/runtime.php', SCRIPT_FILENAME: '/opt/fleetpress/runtime.php' }
    const [, body = ''] = (await askFastcgi(host, address, asked)).split('\r\n\r\n')
    const { php: version, uid, prepended } = JSON.parse(body) as Record<string, unknown>
    assert.ok(String(version).startsWith(php))
    assert.deepEqual([uid, prepended], [33, false])
    for (const root of ['/var/www/html', '/']) {
      const params = {
        ...asked,
        DOCUMENT_ROOT: root,
        SCRIPT_FILENAME: '/var/www/html/evil.php',
        SCRIPT_NAME: '/evil.php',
      }
      assert.doesNotMatch(await askFastcgi(host, address, params), /EVIL/)
    }
    await rm(`${folder}/html/.user.ini`)
  })

  void it('turns the site itself away from the pool of the panel', async () => {
    const script = `$c = fsockopen('${address}', 9000); fwrite($c, "\\x01\\x01\\0\\x01\\0\\x08\\0\\0"); echo strlen(fread($c, 9));`
    assert.equal((await inSite('php', '-r', script)).stdout, '0')
  })

  void it('ends gracefully when told to, and starts again', async () => {
    await writeFile(`${folder}/html/slow.php`, '<?php usleep(1500000); echo "whole";')
    const slow = get(address, '/slow.php')
    await sleep(400)
    await stopContainer(docker, spec.name, { timeoutSeconds: 10 })
    assert.equal((await slow).body, 'whole')
    assert.equal((await findContainer(docker, spec.name))?.exitCode, 0)
    assert.equal(await ensureContainer(docker, spec), 'started')
    await waitHealthy(docker, spec.name, { timeoutMs: 15_000 })
  })

  for (const program of ['php-fpm', 'nginx']) {
    void it(`ends when ${program} dies`, async () => {
      await ensureContainer(docker, spec)
      await waitHealthy(docker, spec.name, { timeoutMs: 15_000 })
      const script = `for p in /proc/[0-9]*; do grep -q '^${program}: master' "$p/cmdline" && kill -KILL "\${p#/proc/}"; done`
      await inSite('bash', '-c', script)
      const state = async () => (await findContainer(docker, spec.name))?.state
      for (let turn = 0; turn < 50 && (await state()) !== 'exited'; turn += 1) await sleep(200)
      assert.equal(await state(), 'exited')
    })
  }
}

void describe('the site image', { timeout: BUILD_LIMIT_MS, concurrency: 1 }, () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetpress-site-image-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  for (const php of PHP_VERSIONS) void describe(`with PHP ${php}`, () => siteCases(php))

  void it('says what is wrong when it is not told its gateway', async () => {
    const image = await ensureImage(siteImage('8.4'), { host, dataDir: folder })
    const spec: ContainerSpec = {
      ...specFor(image, '10.0.0'),
      mounts: [],
      network: 'none',
      env: { FLEETPRESS_GATEWAY: '1;x' },
    }
    try {
      await ensureContainer(docker, spec)
      await assert.rejects(waitHealthy(docker, spec.name, { timeoutMs: 10_000 }), (error: DockerError) =>
        /FLEETPRESS_GATEWAY must be/.test(error.output),
      )
    } finally {
      await removeContainer(docker, spec.name)
    }
  })
})
