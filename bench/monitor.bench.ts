import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Docker } from '#drivers/docker/client.ts'
import { listContainers } from '#drivers/docker/containers.ts'
import { sampleReader } from '#features/monitor/read-sample.ts'
import { LocalHost } from '#platform/host/local-host.ts'
import { median, report } from './report.ts'
import { sleepers } from './sleepers.ts'

const CONTAINERS = 50
const SITES_OF_A_LARGE_SERVER = 200
const STARTED_AT_ONCE = 4
const PEER_ROUNDS = 5
const ROUNDS = 100
const TICKS_PER_SECOND = 100

const run = promisify(execFile)

/** CPU seconds of this process and of every child that has ended. */
const cpuSeconds = (): number => {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0)
  return ticks / TICKS_PER_SECOND
}

const timed = async (times: number, work: () => Promise<unknown>): Promise<number[]> => {
  const taken: number[] = []
  for (let count = 0; count < times; count += 1) {
    const began = performance.now()
    await work()
    taken.push(performance.now() - began)
  }
  return taken
}

const made = await sleepers()
try {
  for (let index = 0; index < CONTAINERS; index += STARTED_AT_ONCE) {
    const some = Array.from({ length: Math.min(STARTED_AT_ONCE, CONTAINERS - index) }, (_, offset) => index + offset)
    await Promise.all(some.map(number => made.start(['--label', `fleetpress.site=bench-${number}`, '--memory', '64m'])))
  }
  const { signal } = new AbortController()
  const host = new LocalHost()
  const docker = new Docker(host)
  const reader = sampleReader(() => listContainers(docker, {}, { signal }))
  const sample = async () => {
    const { containers } = await reader.read(host, signal)
    const seen = containers.filter(({ siteSlug, memBytes }) => siteSlug?.startsWith('bench-') && memBytes !== null)
    if (seen.length !== CONTAINERS) throw new Error(`the sample shows ${seen.length} of ${CONTAINERS} containers`)
  }
  await timed(5, sample)
  const cpuBefore = cpuSeconds()
  const ours = await timed(ROUNDS, sample)
  const cpuPerSample = (cpuSeconds() - cpuBefore) / ROUNDS
  const theirs = await timed(PEER_ROUNDS, () => run('docker', ['stats', '--no-stream']))
  report('monitor', [
    {
      name: `samples of ${CONTAINERS} containers per second`,
      unit: 'samples/s',
      ours: 1000 / median(ours),
      peer: { name: 'docker stats --no-stream', value: 1000 / median(theirs) },
      limit: { atLeast: 200 },
    },
    {
      name: `share of one core for ${SITES_OF_A_LARGE_SERVER} sites at a sample a minute, scaled up from ${CONTAINERS}`,
      unit: '%',
      ours: ((cpuPerSample * (SITES_OF_A_LARGE_SERVER / CONTAINERS)) / 60) * 100,
      limit: { atMost: 1 },
    },
  ])
} finally {
  await made.remove()
}
