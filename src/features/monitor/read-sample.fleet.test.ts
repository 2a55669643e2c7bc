import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Docker } from '#drivers/docker/client.ts'
import { listContainers } from '#drivers/docker/containers.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { type Sleepers, sleepers } from '../../../bench/sleepers.ts'
import { sampleReader } from './read-sample.ts'
import { readSiteDisk } from './read-site-disk.ts'

const MIB = 1024 ** 2

describe('a sample of real containers', { timeout: 300_000 }, () => {
  const host = new LocalHost()
  const { signal } = new AbortController()
  const slug = (name: string) => `sample-${name}-${process.pid}`
  let made: Sleepers

  before(async () => {
    made = await sleepers()
  })
  after(() => made.remove())

  const site = (name: string, ...options: string[]) => ['--label', `fleetpress.site=${slug(name)}`, ...options]

  it('tells apart who works, who rests and who is down, and agrees with Docker', async () => {
    const restingId = await made.start(site('rests', '--memory', '64m', '--name', slug('rests')))
    await made.start(site('works', '--cpus', '0.5'), ['/usr/bin/yes'])
    const downId = await made.start(site('down'))
    const stackId = await made.start(['--label', 'fleetpress.stack=edge'])
    execFileSync('docker', ['stop', '-t', '0', downId], { stdio: 'ignore' })
    const docker = new Docker(host)
    const reader = sampleReader(() => listContainers(docker, {}, { signal }))
    await reader.read(host, signal)
    await sleep(2000)
    const { containers, ...server } = await reader.read(host, signal)
    const bySlug = (name: string) => containers.find(container => container.siteSlug === slug(name))
    const [resting, working, down] = [bySlug('rests'), bySlug('works'), bySlug('down')]
    const [told = '', pids = ''] = execFileSync(
      'docker',
      ['stats', '--no-stream', '--format', '{{.MemUsage}}|{{.PIDs}}', restingId],
      { encoding: 'utf8' },
    )
      .trim()
      .split('|')
    assert.deepEqual([resting?.id, resting?.name, resting?.up], [restingId, slug('rests'), true])
    assert.deepEqual([resting?.memLimitBytes, String(resting?.pids)], [64 * MIB, pids])
    assert.ok(Math.abs((resting?.memBytes ?? 0) - bytesOf(told)) < MIB, `${resting?.memBytes} bytes, Docker: ${told}`)
    assert.ok((resting?.cpuShare ?? 1) < 0.02, `resting: ${resting?.cpuShare}`)
    assert.ok((working?.cpuShare ?? 0) > 0.02, `working: ${working?.cpuShare}`)
    assert.ok((working?.cpuShare ?? 0) * (server.cpus ?? 0) < 0.75, `half a core: ${working?.cpuShare}`)
    assert.deepEqual([down?.up, down?.memBytes, working?.memLimitBytes], [false, null, null])
    assert.equal(containers.find(container => container.id === stackId)?.stackPart, 'edge')
    for (const [name, value] of Object.entries(server)) assert.equal(typeof value, 'number', name)
  })

  it('tells what the files of a site take on disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleetpress-sites-'))
    try {
      for (const [name, size] of Object.entries({ small: 10_000, large: 5 * MIB })) {
        mkdirSync(join(folder, name, 'wp-content'), { recursive: true })
        writeFileSync(join(folder, name, 'wp-content', 'a\nb\t-9'), Buffer.alloc(size, 1))
      }
      const found = await readSiteDisk(host, ['small', 'absent', 'large'], signal, folder)
      assert.deepEqual([...found.keys()], ['small', 'large'])
      assert.ok((found.get('small') ?? 0) >= 10_000 && (found.get('small') ?? 0) < 100_000)
      assert.ok((found.get('large') ?? 0) >= 5 * MIB && (found.get('large') ?? 0) < 6 * MIB)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** `1.5MiB / 64MiB`, as Docker shows it. */
const bytesOf = (text: string): number => {
  const [, amount, unit = ''] = /^([\d.]+)(B|KiB|MiB|GiB) \//.exec(text) ?? []
  return Number(amount) * 1024 ** ['B', 'KiB', 'MiB', 'GiB'].indexOf(unit)
}
