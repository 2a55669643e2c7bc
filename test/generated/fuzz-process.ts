import { ACCESS } from '#platform/contract/level.ts'
import type { Engine } from '#test/support/panel.ts'
import type { Headers } from './callers.ts'
import { type FuzzReport, fuzz } from './fuzz.ts'
import { type House, keyHeaders, openHouse, personHeaders } from './fuzz-house.ts'
import { served } from './served.ts'

export const WHO = ['nobody', ...ACCESS, 'person'] as const
export type Who = (typeof WHO)[number]

/** What this process is told to do, as its one argument. */
export interface Order {
  engineName: Engine
  who: Who
  count: number
  seed: number
}

const headersOf = async (house: House, who: Who): Promise<() => Promise<Headers>> => {
  if (who === 'nobody') return async () => ({})
  return who === 'person' ? personHeaders(house) : keyHeaders(house, who)
}

const obey = async ({ engineName, who, count, seed }: Order): Promise<FuzzReport> => {
  const house = await openHouse(engineName)
  try {
    return await fuzz({ ...house, endpoints: served, headers: await headersOf(house, who), count, seed })
  } finally {
    await house.close()
  }
}

/** A process of its own: the memory of a test runner, which remembers every promise, is not the panel's. */
if (import.meta.main) process.stdout.write(JSON.stringify(await obey(JSON.parse(process.argv[2] ?? '{}') as Order)))
