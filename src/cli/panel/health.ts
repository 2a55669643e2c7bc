import { request } from 'node:http'

/** Where this machine reaches its own panel, and the name the panel answers to there. */
export interface Place {
  listen: string
  port: number
}

const EVERYWHERE: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export const hostOf = ({ listen }: Place): string => EVERYWHERE[listen] ?? listen

export interface Health {
  ok: boolean
  version: string
}

const isHealth = (value: unknown): value is Health =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'ok') === 'boolean' &&
  typeof Reflect.get(value, 'version') === 'string'

const parseHealth = (text: string): Health | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isHealth(value) ? value : undefined
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
        answer.on('end', () => resolve(answer.statusCode === 200 ? parseHealth(text) : undefined))
        answer.on('error', () => resolve(undefined))
      },
    )
    asked.on('timeout', () => asked.destroy())
    asked.on('error', () => resolve(undefined))
    asked.end()
  })

/** Asks until it is well, the time is over, or there is nobody left to ask. */
export const waitForHealth = async (
  place: Place,
  limitMs: number,
  isLost: () => boolean = () => false,
): Promise<Health | undefined> => {
  const deadline = Date.now() + limitMs
  while (Date.now() < deadline && !isLost()) {
    const health = await askHealth(place)
    if (health?.ok) return health
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return undefined
}
