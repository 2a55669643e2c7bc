import { isIP } from 'node:net'
import { z } from 'zod'

/** A line of the edge's log about a request that was refused. */
export interface RefusedLine {
  readonly site: string
  readonly at: number
  readonly rule: string
  readonly status: number
  readonly address: string
  readonly method: string
  readonly path: string
  readonly userAgent: string
}

const LONGEST_PATH = 200
const LONGEST_AGENT = 200
const LONGEST_METHOD = 20
const UNSHOWN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Lines are written by the edge alone, but visitors choose most of what they hold. */
const Line = z.object({
  time: z.string().regex(/^\d{1,10}\.\d{3}$/),
  site: z.string().min(1),
  blockedBy: z.string().regex(/^[a-z0-9][a-z0-9:-]{0,79}$/),
  status: z.enum(['403', '429']),
  address: z.string().refine(text => isIP(text) !== 0),
  method: z.string(),
  uri: z.string(),
  userAgent: z.string(),
})

/** Undefined for any other line. Most of them are told from their text. */
export const parseRefused = (text: string): RefusedLine | undefined => {
  if (!text.includes('"blockedBy":"') || text.includes('"blockedBy":""')) return undefined
  const { success, data } = Line.safeParse(parseJson(text))
  if (!success) return undefined
  return {
    site: data.site,
    at: Math.round(Number(data.time) * 1000),
    rule: data.blockedBy,
    status: Number(data.status),
    address: data.address,
    method: shown(data.method, LONGEST_METHOD),
    path: shown(data.uri.split(/[?#]/, 1)[0] ?? '', LONGEST_PATH),
    userAgent: shown(data.userAgent, LONGEST_AGENT),
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const shown = (text: string, most: number): string => text.slice(0, most).toWellFormed().replace(UNSHOWN, '\ufffd')
