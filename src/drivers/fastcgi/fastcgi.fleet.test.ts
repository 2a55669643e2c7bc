import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { removeContainer } from '#drivers/docker/containers.ts'
import { ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { ensureNetwork, removeNetwork } from '#drivers/docker/networks.ts'
import { dockerOf } from '#features/stack/docker-of.ts'
import { ensureImage } from '#features/stack/images/ensure-image.ts'
import { siteImage } from '#features/stack/images/recipes.ts'
import { DialFailed, HostTimeout, OutputTooLarge } from '#platform/host/errors.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { PAYLOADS } from '#test/generated/payloads.ts'
import { type FastcgiRequest, fastcgi } from './fastcgi.ts'

const MIB = 1024 ** 2
const host = new LocalHost()
const docker = dockerOf(host)
const unique = `fptest${randomBytes(4).toString('hex')}`
const labels = { 'fleetpress.test': unique }
const prefix = `10.216.${randomBytes(1)[0] ?? 0}`
const address = { host: `${prefix}.2`, port: 9000 }
const root = '/opt/fleetpress'

const SCRIPTS = {
  'list.php': `<?php $found = [];
    foreach (scandir('/var/www/html/many') as $name) { if ($name[0] === '.') continue;
      $s = lstat("/var/www/html/many/$name"); $found[] = [$name, $s['size'], $s['mtime'], $s['mode']]; }
    header('Content-Type: application/json'); echo json_encode($found);`,
  'echo.php': `<?php header('X-Length: ' . $_SERVER['CONTENT_LENGTH']); echo hash('sha256', file_get_contents('php://input'));`,
  'value.php': `<?php echo $_SERVER['FP_VALUE'];`,
  'broken.php': `<?php ini_set('error_log', ''); http_response_code(418); header('X-A: 1'); error_log('said aside'); echo 'x'; nowhere();`,
  'slow.php': '<?php sleep(20);',
  'large.php': `<?php for ($i = 0; $i < 300; $i++) echo str_repeat('x', 100000);`,
}

const ask = (script: string, more: Partial<FastcgiRequest> = {}) =>
  fastcgi(host, address, { root, script: `/${script}`, timeoutMs: 20_000, ...more })

void describe('fastcgi, with the php-fpm of a site', { timeout: 15 * 60_000, concurrency: 1 }, () => {
  let folder = ''

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetpress-fastcgi-'))
    await mkdir(`${folder}/html/many`, { recursive: true })
    await mkdir(`${folder}/scripts`)
    for (const [name, text] of Object.entries(SCRIPTS)) await writeFile(`${folder}/scripts/${name}`, text)
    for (let index = 0; index < 250; index += 1) await writeFile(`${folder}/html/many/file-${index}.txt`, String(index))
    const image = await ensureImage(siteImage('8.4'), { host, dataDir: folder })
    await ensureNetwork(docker, { name: `${unique}-net`, subnet: `${prefix}.0/29`, gateway: `${prefix}.1`, labels })
    await ensureContainer(docker, {
      name: `${unique}-site`,
      image,
      user: '33:33',
      readOnly: true,
      mounts: [
        { source: `${folder}/html`, target: '/var/www/html' },
        { source: `${folder}/scripts`, target: root, readOnly: true },
      ],
      tmpfs: [
        { target: '/tmp', sizeBytes: 64 * MIB },
        { target: '/run', sizeBytes: 8 * MIB, uid: 33, gid: 33, mode: 0o755 },
      ],
      network: { name: `${unique}-net`, ip: address.host },
      limits: { memoryBytes: 512 * MIB, cpus: 2, pids: 100 },
      env: { FLEETPRESS_GATEWAY: `${prefix}.1` },
      labels,
      restart: 'no',
      init: true,
    })
    await waitHealthy(docker, `${unique}-site`, { timeoutMs: 30_000 })
  })
  after(async () => {
    await removeContainer(docker, `${unique}-site`)
    await removeNetwork(docker, `${unique}-net`)
    await rm(folder, { recursive: true, force: true })
  })

  void it('lists 250 files', async () => {
    const { status, headers, body } = await ask('list.php')
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json'])
    assert.equal((JSON.parse(body.toString()) as unknown[]).length, 250)
  })

  void it('hands over what it is given, whole and unchanged', async () => {
    const data = randomBytes(5 * MIB)
    const hash = createHash('sha256').update(data).digest('hex')
    const pieces = [data.subarray(0, 1), Buffer.alloc(0), data.subarray(1, MIB), data.subarray(MIB)]
    for (const stdin of [data, { source: Readable.from(pieces), sizeBytes: data.length }]) {
      const { body, headers } = await ask('echo.php', { stdin })
      assert.deepEqual([body.toString(), headers.get('x-length')], [hash, String(data.length)])
    }
    for (const value of PAYLOADS) {
      assert.equal((await ask('value.php', { params: { FP_VALUE: value } })).body.toString(), value)
    }
  })

  void it('fails when its source fails, and not when a script does not read', async () => {
    const source = Readable.from(
      (function* () {
        yield Buffer.alloc(1000)
        throw new Error('the source broke')
      })(),
    )
    await assert.rejects(ask('echo.php', { stdin: { source, sizeBytes: 2000 } }), /the source broke/)
    const { body } = await ask('value.php', { stdin: randomBytes(3 * MIB), params: { FP_VALUE: 'v' } })
    assert.equal(body.toString(), 'v')
  })

  void it('tells status, headers and what was said aside when a script fails', async () => {
    const { status, headers, stderr } = await ask('broken.php')
    assert.deepEqual([status, headers.get('x-a')], [418, '1'])
    assert.match(stderr, /nowhere\(\)/)
    assert.equal((await ask('none.php')).status, 404)
  })

  void it('stops at its limits', async () => {
    await assert.rejects(ask('large.php'), OutputTooLarge)
    assert.equal((await ask('large.php', { maxOutputBytes: 40_000_000 })).body.length, 30_000_000)
    await assert.rejects(ask('slow.php', { timeoutMs: 300 }), HostTimeout)
    await assert.rejects(fastcgi(host, { ...address, port: 9 }, { root, script: '/list.php' }), DialFailed)
  })
})
