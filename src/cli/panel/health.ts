import { request } from 'node:http'
import { z } from 'zod'
import { ProblemBody } from '#platform/contract/problem.ts'

/** Where this machine reaches its own panel, and the name the panel answers to there. */
export interface Place {
  listen: string
  port: number
}

const EVERYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export const hostOf = ({ listen }: Place): string => EVERYWHERE[listen] ?? listen

export interface Health {
  version: string
  /** Why it cannot save changes or run jobs; null when it can. */
  problem: string | null
}

const Well = z.object({ ok: z.literal(true), version: z.string() })
const Unwell = ProblemBody.extend({
  error: ProblemBody.shape.error.extend({ details: z.object({ version: z.string() }) }),
})

const parseHealth = (text: string): Health | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    const well = Well.safeParse(value)
    if (well.success) return { version: well.data.version, problem: null }
    const unwell = Unwell.safeParse(value)
    return unwell.success
      ? { version: unwell.data.error.details.version, problem: unwell.data.error.message }
      : undefined
  } catch {
    return undefined
  }
}

/** The panel's own word on how it is, or undefined when nothing (or something else) answers. */
export const askHealth = (place: Place, timeoutMs = 2000): Promise<Health | undefined> =>
  new Promise(resolve => {
    const headers = { host: `localhost:${place.port}` }
    const asked = request(
      { host: hostOf(place), port: place.port, path: '/api/health', headers, timeout: timeoutMs, agent: false },
      answer => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          text += part
        })
        answer.on('end', () => resolve(parseHealth(text)))
        answer.on('error', () => resolve(undefined))
      },
    )
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.end()
  })

/** Asks until it is healthy, the time is over, or there is no one left to ask. */
export const waitForHealth = async (
  place: Place,
  limitMs: number,
  isLost: () => boolean = () => false,
): Promise<Health | undefined> => {
  const deadline = Date.now() + limitMs
  while (Date.now() < deadline && !isLost()) {
    const health = await askHealth(place)
    if (health?.problem === null) return health
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return undefined
}
