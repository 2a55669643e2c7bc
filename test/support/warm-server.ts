import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestPanelOptions } from './panel.ts'
import { type SiteHouse, siteHouse } from './site-house.ts'

const PAUSE_MS = 50
const SPARE = 'ls -d /srv/fleetpress/core/*.spare'

/** Proportional, in KiB. */
const memoryScript = (container: string) =>
  `for pid in $(docker top ${container} -eo pid | tail -n +2); do cat /proc/$pid/smaps_rollup; done |
    awk '/^Pss:/ { sum += $2 } END { print sum }'`

export interface WarmServer extends SiteHouse {
  readonly serverId: number
  /** Its hostname, and how long it took from the request to the end of the job. */
  createTimed(slug: string): Promise<{ hostname: string; takenMs: number }>
  /** Runs on the server and fails when it fails. */
  shell(script: string): Promise<string>
  /** Until all that continues after a creation has ended. */
  settled(): Promise<void>
  /** What the processes of a container of the server hold, each page shared out among those who share it. */
  memoryOf(container: string): Promise<number>
}

/** A panel and one server that has a site, called first, and so all at hand that a new one needs. */
export const warmServer = async (options: TestPanelOptions = {}): Promise<WarmServer> => {
  const house = await siteHouse(1, options)
  const warm = warmed(house)
  try {
    await warm.createTimed('first')
    await warm.settled()
    return warm
  } catch (error) {
    await house[Symbol.asyncDispose]()
    throw error
  }
}

const warmed = (house: SiteHouse): WarmServer => {
  const { panel, servers, ids, succeeded } = house
  const [server] = servers
  const [serverId] = ids
  assert.ok(server && serverId !== undefined)
  const shell = async (script: string) => {
    const { exitCode, stdout, stderr } = await server.exec(['bash', '-euc', script])
    assert.equal(exitCode, 0, `${script}\n${stdout}${stderr}`)
    return stdout
  }
  return {
    ...house,
    serverId,
    shell,
    memoryOf: async container => Number(await shell(memoryScript(container))) * 1024,
    createTimed: async slug => {
      const account = { adminUser: 'ada', adminEmail: 'ada@example.com' }
      const body = { title: `Site ${slug}`, slug, domainMode: 'dev' as const, ...account, serverId }
      const beganAt = Date.now()
      const { job } = await panel.as('full').siteCreate({ body })
      await succeeded(job.id)
      const { finishedAt } = (await panel.as('full').jobGet({ params: { id: job.id }, query: {} })).job
      return { hostname: `${slug}.${server.name}.localhost`, takenMs: (finishedAt ?? Number.NaN) - beganAt }
    },
    settled: async () => {
      while ((await server.exec(['bash', '-c', SPARE])).exitCode !== 0) await sleep(PAUSE_MS)
    },
  }
}
