import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findContainer, killContainer, listContainers, readLogs, removeContainer } from '#drivers/docker/containers.ts'
import { ensureContainer, waitHealthy } from '#drivers/docker/ensure-container.ts'
import { execIn } from '#drivers/docker/exec.ts'
import { findImage, removeImage } from '#drivers/docker/images.ts'
import { ensureNetwork, removeNetwork } from '#drivers/docker/networks.ts'
import { edgePart } from '#features/edge/edge-part.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { stackParts } from '#test/support/stack-parts.ts'
import { DATABASE_OWNER, databasePart } from '../database-part.ts'
import { dockerOf } from '../docker-of.ts'
import { ensureImage } from './ensure-image.ts'

const BUILD_LIMIT_MS = 15 * 60_000
const MIB = 1024 ** 2
const host = new LocalHost()
const docker = dockerOf(host)
const unique = `fptest${randomBytes(4).toString('hex')}`
const labels = { 'fleetpress.test': unique }
const limits = { memoryBytes: 512 * MIB, cpus: 2, pids: 200 }
let folder = ''

const CONFIG = (word: string) => `user www-data;
pid /run/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path /tmp/body;
  proxy_temp_path /tmp/proxy;
  fastcgi_temp_path /tmp/fastcgi;
  uwsgi_temp_path /tmp/uwsgi;
  scgi_temp_path /tmp/scgi;
  server {
    listen 80;
    location = /.fleetpress/edge-health { return 200; }
    location / { return 200 "${word}"; }
  }
}
`

void describe('the images of the stack', { timeout: BUILD_LIMIT_MS, concurrency: 1 }, () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetpress-stack-images-'))
  })
  after(async () => {
    for (const { id } of await listContainers(docker, labels)) await removeContainer(docker, id)
    await removeNetwork(docker, `${unique}-net`)
    await rm(folder, { recursive: true, force: true })
  })

  void it('are built once', async () => {
    for (const recipe of (await stackParts()).map(part => part.image)) {
      const ref = await ensureImage(recipe, { host, dataDir: folder })
      assert.match(ref, /^fleetpress\/[a-z-]+:[\d.]+-[0-9a-f]{12}$/)
      assert.ok(await findImage(docker, ref))
      const lines: string[] = []
      assert.equal(await ensureImage(recipe, { host, dataDir: folder, onLine: line => lines.push(line) }), ref)
      assert.deepEqual(lines, [])
    }
  })

  void it('are built once when several ask at once', async () => {
    const plain = await ensureImage(edgePart.image, { host, dataDir: folder })
    const recipe = { ...edgePart.image, buildArgs: { ...edgePart.image.buildArgs, UNUSED: unique } }
    const lines: string[] = []
    const ask = () => ensureImage(recipe, { host, dataDir: folder, onLine: line => lines.push(line) })
    const refs = new Set(await Promise.all([ask(), ask(), ask()]))
    assert.equal(refs.size, 1)
    assert.ok(!refs.has(plain))
    assert.equal(lines.filter(line => line.startsWith('Building ')).length, 1)
    for (const ref of refs) await removeImage(docker, ref)
  })

  void it('edge: serves with the few capabilities it needs, reloads, and its workers have their own number', async () => {
    const prefix = `10.215.${randomBytes(1)[0] ?? 0}`
    await ensureNetwork(docker, { name: `${unique}-net`, subnet: `${prefix}.0/29`, gateway: `${prefix}.1`, labels })
    await mkdir(`${folder}/edge/current`, { recursive: true })
    await writeFile(`${folder}/edge/current/nginx.conf`, CONFIG('first'))
    const name = `${unique}-edge`
    await ensureContainer(docker, {
      name,
      image: await ensureImage(edgePart.image, { host, dataDir: folder }),
      readOnly: true,
      capAdd: ['CHOWN', 'NET_BIND_SERVICE', 'SETGID', 'SETUID'],
      mounts: [{ source: `${folder}/edge`, target: '/srv/fleetpress/edge', readOnly: true }],
      tmpfs: [
        { target: '/run', sizeBytes: MIB },
        { target: '/tmp', sizeBytes: 16 * MIB },
      ],
      network: { name: `${unique}-net`, ip: `${prefix}.2` },
      limits,
      labels,
      restart: 'no',
    })
    await waitHealthy(docker, name, { timeoutMs: 20_000 })
    const read = async () => (await fetch(`http://${prefix}.2/`)).text()
    assert.equal(await read(), 'first')
    await writeFile(`${folder}/edge/current/nginx.conf`, CONFIG('second'))
    await killContainer(docker, name, 'SIGHUP')
    for (let turn = 0; turn < 50 && (await read()) !== 'second'; turn += 1) await sleep(100)
    assert.equal(await read(), 'second')
    const script = 'for p in /proc/[0-9]*; do grep -qa "^nginx: worker" $p/cmdline && grep ^Uid $p/status; done; true'
    const { stdout } = await execIn(docker, name, ['bash', '-c', script])
    assert.match(stdout, /^(Uid:\s+69000\s+69000\s+69000\s+69000\n)+$/)
  })

  void it('database: answers root through its socket only, and keeps what it has when recreated', async () => {
    const name = `${unique}-database`
    for (const part of ['data', 'run']) {
      await mkdir(`${folder}/${part}`)
      await chown(`${folder}/${part}`, DATABASE_OWNER.uid, DATABASE_OWNER.gid)
    }
    // What a start that was killed halfway leaves behind.
    await mkdir(`${folder}/data/data.new/mysql`, { recursive: true })
    await chown(`${folder}/data/data.new`, DATABASE_OWNER.uid, DATABASE_OWNER.gid)
    await chown(`${folder}/data/data.new/mysql`, DATABASE_OWNER.uid, DATABASE_OWNER.gid)
    const spec = {
      name,
      image: await ensureImage(databasePart.image, { host, dataDir: folder }),
      readOnly: true,
      mounts: [
        { source: `${folder}/data`, target: '/var/lib/mysql' },
        { source: `${folder}/run`, target: '/run/mysqld' },
      ],
      tmpfs: [{ target: '/tmp', sizeBytes: 64 * MIB }],
      network: 'none',
      limits,
      labels,
      restart: 'no',
      stopTimeoutSeconds: 60,
    } as const
    await ensureContainer(docker, spec)
    await waitHealthy(docker, name, { timeoutMs: 60_000 })
    const query = (sql: string, user = '0:0') =>
      execIn(docker, name, ['mariadb', '--batch', '--skip-column-names', '-e', sql], { user })
    assert.match((await query('select version()')).stdout, /^11\.8\./)
    assert.match((await query('select 1', '33:33')).stderr, /Access denied/)
    assert.equal(
      (await query('create database kept; show variables like "skip_networking"')).stdout,
      'skip_networking\tON\n',
    )
    assert.equal(await ensureContainer(docker, { ...spec, command: ['--max-connections=99'] }), 'recreated')
    await waitHealthy(docker, name, { timeoutMs: 60_000 })
    assert.equal((await query('show databases like "kept"; select @@max_connections')).stdout, 'kept\n99\n')
    const { pid } = (await findContainer(docker, name)) ?? {}
    assert.match((await host.readFile(`/proc/${pid}/status`)).toString(), /Uid:\s+970\s+970\s+970\s+970/)
    assert.doesNotMatch(await readLogs(docker, name), /\[ERROR\]/)
  })
})
