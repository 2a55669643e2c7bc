/** One request, as far as it is counted. */
export interface LoggedRequest {
  readonly at: number
  readonly site: string
  /** Without the query. */
  readonly path: string
  readonly statusClass: StatusClass
  readonly bytes: number
  readonly isCacheHit: boolean
}

export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const
export type StatusClass = (typeof STATUS_CLASSES)[number]

const LONGEST_PATH = 200
const TIME = /^\d{1,10}\.\d{3}$/
const STATUS = /^[1-5]\d\d$/
const BYTES = /^\d{1,15}$/
/** Answered without asking the site, whether or not it was asked afterwards. */
const CACHE_HITS: readonly unknown[] = ['HIT', 'STALE', 'UPDATING', 'REVALIDATED']
const UNSHOWN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * A line of the edge's log. Visitors choose most of what it holds, so nothing but the expected form is taken: undefined
 * is a broken line, and a request without a site has an empty one.
 */
export const parseLine = (text: string): LoggedRequest | undefined => {
  const fields = parseObject(text)
  if (!fields) return undefined
  const { time, site, status, bytes, uri, cache } = fields
  if (typeof site !== 'string' || typeof uri !== 'string') return undefined
  if (!matches(time, TIME) || !matches(status, STATUS) || !matches(bytes, BYTES)) return undefined
  return {
    at: Math.round(Number(time) * 1000),
    site,
    path: pathOf(uri),
    statusClass: `${status.charAt(0)}xx` as StatusClass,
    bytes: Number(bytes),
    isCacheHit: CACHE_HITS.includes(cache),
  }
}

const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const matches = (value: unknown, form: RegExp): value is string => typeof value === 'string' && form.test(value)

/** As it was asked for, in its encoded form: the query is often personal, and a long path is cut. */
const pathOf = (uri: string): string => {
  const [path = ''] = uri.split(/[?#]/, 1)
  return path.slice(0, LONGEST_PATH).toWellFormed().replace(UNSHOWN, '\ufffd')
}
