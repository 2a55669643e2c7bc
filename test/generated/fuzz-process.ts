import { ACCESS } from '#platform/contract/level.ts'
import type { Engine } from '#test/support/panel.ts'
import type { Headers } from './callers.ts'
import { type FuzzReport, fuzz } from './fuzz.ts'
import { type House, keyHeaders, openHouse, personHeaders } from './fuzz-house.ts'
import { allTried } from './served.ts'

export const WHO = ['nobody', ...ACCESS, 'person'] as const
export type Who = (typeof WHO)[number]

/** What this process is told to do, as its one argument. */
export interface Order {
  engineName: Engine
  counts: Record<Who, number>
  seed: number
}

/** A session ends with the first logout, a key only when it happens to be named. */
const RENEW_EVERY: Record<Who, number> = { nobody: 100, 'read-only': 100, manage: 100, full: 50, person: 10 }

export type Reports = Record<Who, FuzzReport>

const headersOf = async (house: House, who: Who): Promise<() => Promise<Headers>> => {
  if (who === 'nobody') return async () => ({})
  return who === 'person' ? personHeaders(house) : keyHeaders(house, who)
}

const obey = async ({ engineName, counts, seed }: Order): Promise<Partial<Reports>> => {
  const house = await openHouse(engineName)
  const reports: Partial<Reports> = {}
  try {
    // What is made at the first request, such as the checks of an endpoint, is not a growth.
    await fuzz({
      ...house,
      endpoints: allTried,
      headers: async () => ({}),
      renewEvery: 100,
      count: allTried.length,
      seed,
    })
    for (const who of WHO) {
      const headers = await headersOf(house, who)
      const run = { ...house, endpoints: allTried, headers, renewEvery: RENEW_EVERY[who], count: counts[who], seed }
      reports[who] = await fuzz(run)
    }
    return reports
  } finally {
    await house.panel.stop()
  }
}

/** Its own process: what a test runner keeps of every promise is not a memory of the panel's. */
if (import.meta.main) process.stdout.write(JSON.stringify(await obey(JSON.parse(process.argv[2] ?? '{}') as Order)))
