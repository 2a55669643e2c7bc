import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { LocalHost } from '#platform/host/local-host.ts'
import { type ListedContainer, sampleReader } from './read-sample.ts'

const SHOP = 'a'.repeat(64)
const EDGE = 'b'.repeat(64)
const STRANGER = 'c'.repeat(64)
const STOPPED = 'd'.repeat(64)

const LISTED: readonly ListedContainer[] = [
  { id: SHOP, name: 'fleetpress-site-shop', labels: { 'fleetpress.site': 'shop' } },
  { id: EDGE, name: 'fleetpress-edge', labels: { 'fleetpress.stack': 'edge' } },
  { id: STOPPED, name: 'fleetpress-site-old', labels: { 'fleetpress.site': 'old' } },
]

type Files = Record<string, string>

const machine = (uptimeSeconds: number, busyTicks: number, idleTicks: number, receivedBytes: number): Files => ({
  'proc/loadavg': '0.52 1.58 2.06 1/257 12345\n',
  'proc/uptime': `${uptimeSeconds}.00 1234.56\n`,
  'proc/stat': `cpu  ${busyTicks} 0 0 ${idleTicks} 0 0 0 0 0 0\ncpu0 1 0 0 1 0 0 0 0 0 0\ncpu1 1 0 0 1 0 0 0 0 0 0\nintr 5\n`,
  'proc/meminfo':
    'MemTotal:       4000000 kB\nMemFree:         100000 kB\nMemAvailable:   3000000 kB\nSwapTotal:      1000000 kB\nSwapFree:        900000 kB\n',
  'proc/net/dev': [
    'Inter-|   Receive                                                |  Transmit',
    ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed',
    '    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0',
    `  eth0: ${receivedBytes} 1 0 0 0 0 0 0 ${receivedBytes * 2} 1 0 0 0 0 0 0`,
    'veth12ab: 777 1 0 0 0 0 0 0 777 1 0 0 0 0 0 0',
    '',
  ].join('\n'),
})

/** What one container has in each layout that is met in the field. */
const LAYOUTS: Record<string, (id: string, cpuUs: number) => Files> = {
  "version 2, systemd's driver": (id, cpuUs) => version2(`sys/fs/cgroup/system.slice/docker-${id}.scope`, cpuUs),
  "version 2, Docker's driver": (id, cpuUs) => version2(`sys/fs/cgroup/docker/${id}`, cpuUs),
  "version 1, systemd's driver": (id, cpuUs) => version1(`system.slice/docker-${id}.scope`, cpuUs),
  "version 1, Docker's driver": (id, cpuUs) => version1(`docker/${id}`, cpuUs),
}

const version2 = (folder: string, cpuUs: number): Files => ({
  [`${folder}/cpu.stat`]: `usage_usec ${cpuUs}\nuser_usec 1\nsystem_usec 1\n`,
  [`${folder}/memory.current`]: '50000000\n',
  [`${folder}/memory.max`]: '268435456\n',
  [`${folder}/memory.stat`]: 'anon 100\nfile 200\ninactive_file 8000000\n',
  [`${folder}/pids.current`]: '7\n',
})

const version1 = (folder: string, cpuUs: number): Files => ({
  [`sys/fs/cgroup/cpuacct/${folder}/cpuacct.usage`]: `${cpuUs * 1000}\n`,
  [`sys/fs/cgroup/memory/${folder}/memory.usage_in_bytes`]: '50000000\n',
  [`sys/fs/cgroup/memory/${folder}/memory.limit_in_bytes`]: '268435456\n',
  [`sys/fs/cgroup/memory/${folder}/memory.stat`]: 'inactive_file 5\ntotal_inactive_file 8000000\n',
  [`sys/fs/cgroup/pids/${folder}/pids.current`]: '7\n',
})

describe('a sample of a server', { timeout: 300_000 }, () => {
  let root: string
  const host = new LocalHost()
  const { signal } = new AbortController()

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'fleetpress-sample-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const write = (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
  }
  const readerOf = (list: () => Promise<readonly ListedContainer[]> = async () => LISTED) => sampleReader(list, root)

  it('tells load, memory, swap and disk at once, shares and rates from the second time on', async () => {
    const reader = readerOf()
    write(machine(1000, 500, 500, 10_000))
    const { containers, diskTotalBytes, diskUsedBytes, ...first } = await reader.read(host, signal)
    assert.deepEqual(first, {
      uptimeSeconds: 1000,
      load1: 0.52,
      load5: 1.58,
      load15: 2.06,
      cpus: 2,
      cpuShare: null,
      memTotalBytes: 4_000_000 * 1024,
      memUsedBytes: 1_000_000 * 1024,
      swapTotalBytes: 1_000_000 * 1024,
      swapUsedBytes: 100_000 * 1024,
      netInBytesPerSecond: null,
      netOutBytesPerSecond: null,
    })
    assert.ok((diskTotalBytes ?? 0) > (diskUsedBytes ?? 0) && (diskUsedBytes ?? 0) > 0)
    assert.ok(containers.every(container => !container.up))
    write(machine(1060, 530, 590, 70_000))
    const second = await reader.read(host, signal)
    assert.deepEqual([second.cpuShare, second.netInBytesPerSecond, second.netOutBytesPerSecond], [0.25, 1000, 2000])
  })

  for (const [name, layout] of Object.entries(LAYOUTS)) {
    it(`tells what each container uses: cgroup ${name}`, async () => {
      const reader = readerOf()
      write({ ...machine(1000, 1, 1, 1), ...layout(SHOP, 1_000_000), ...layout(EDGE, 5_000_000) })
      write(layout(STRANGER, 1))
      const [before] = (await reader.read(host, signal)).containers
      assert.equal(before?.cpuShare, null)
      write({ ...machine(1060, 2, 2, 2), ...layout(SHOP, 31_000_000), ...layout(EDGE, 5_000_000) })
      const { containers } = await reader.read(host, signal)
      const use = { up: true, memBytes: 42_000_000, memLimitBytes: 268_435_456, pids: 7 }
      assert.deepEqual(containers, [
        { id: SHOP, name: 'fleetpress-site-shop', siteSlug: 'shop', stackPart: null, ...use, cpuShare: 0.25 },
        { id: EDGE, name: 'fleetpress-edge', siteSlug: null, stackPart: 'edge', ...use, cpuShare: 0 },
        {
          id: STOPPED,
          name: 'fleetpress-site-old',
          siteSlug: 'old',
          stackPart: null,
          up: false,
          cpuShare: null,
          memBytes: null,
          memLimitBytes: null,
          pids: null,
        },
      ])
    })
  }

  it('has no limit where there is none, and no share after a restart', async () => {
    const layout = LAYOUTS["version 2, Docker's driver"] ?? version2
    const unlimited = { [`sys/fs/cgroup/docker/${SHOP}/memory.max`]: 'max\n' }
    const reader = readerOf()
    write({ ...machine(1000, 900, 900, 900), ...layout(SHOP, 9_000_000), ...unlimited })
    await reader.read(host, signal)
    write({ ...machine(30, 10, 10, 10), ...layout(SHOP, 1_000), ...unlimited })
    const sample = await reader.read(host, signal)
    assert.deepEqual([sample.cpuShare, sample.netInBytesPerSecond], [null, null])
    assert.deepEqual([sample.containers[0]?.cpuShare, sample.containers[0]?.memLimitBytes], [null, null])
  })

  it('asks Docker for names only when other containers run, and every tenth time', async () => {
    let asked = 0
    const reader = readerOf(async () => {
      asked += 1
      return LISTED
    })
    const layout = LAYOUTS["version 1, Docker's driver"] ?? version1
    write({ ...machine(1000, 1, 1, 1), ...layout(SHOP, 1) })
    for (let count = 0; count < 10; count += 1) await reader.read(host, signal)
    assert.equal(asked, 1)
    await reader.read(host, signal)
    assert.equal(asked, 2)
    write(layout(EDGE, 1))
    const { containers } = await reader.read(host, signal)
    assert.equal(asked, 3)
    assert.equal(containers.find(container => container.id === EDGE)?.up, true)
  })

  it('still tells the load when Docker does not answer, and the names once it does', async () => {
    let answers = false
    const reader = readerOf(async () => {
      if (!answers) throw new Error('no Docker')
      return LISTED
    })
    write({ ...machine(1000, 1, 1, 1), ...version1(`docker/${SHOP}`, 1) })
    const without = await reader.read(host, signal)
    assert.deepEqual([without.load1, without.containers], [0.52, []])
    answers = true
    assert.equal((await reader.read(host, signal)).containers[0]?.siteSlug, 'shop')
  })

  it('is made of nulls, not of guesses, on a machine without any of the files', async () => {
    const { containers, diskTotalBytes, diskUsedBytes, ...rest } = await readerOf(async () => []).read(host, signal)
    assert.deepEqual(new Set(Object.values(rest)), new Set([null]))
    assert.deepEqual(containers, [])
    assert.ok((diskTotalBytes ?? 0) > 0 && (diskUsedBytes ?? 0) > 0)
  })

  it('takes no name from a hostile Docker that Docker would not give', async () => {
    const hostile = ['\u001b]0;owned\u0007', '$(touch CANARY)', '../../etc', 'a\nb', '-rf', '', 'x'.repeat(5000)]
    const listed = hostile.map((text, index) => ({
      id: index.toString(16).repeat(64),
      name: text,
      labels: { 'fleetpress.site': text, 'fleetpress.stack': text },
    }))
    const { containers } = await readerOf(async () => [
      ...listed,
      { id: `${'e'.repeat(63)}/`, name: 'x', labels: { 'fleetpress.site': 'shop' } },
    ]).read(host, signal)
    assert.equal(containers.length, hostile.length)
    for (const { name, siteSlug, stackPart } of containers)
      assert.deepEqual([name, siteSlug, stackPart], [null, null, null])
  })
})
