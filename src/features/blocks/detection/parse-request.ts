/** One request as the edge logged it. Visitors choose most of what it holds. */
export interface EdgeRequest {
  readonly at: number
  readonly address: string
  /** Empty for a name that is no site's. */
  readonly site: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
  readonly status: number
  readonly userAgent: string
  /** What refused it; empty when nothing did. */
  readonly blockedBy: string
}

const TIME = /^\d{1,10}\.\d{3}$/
const STATUS = /^[1-5]\d\d$/
const METHOD = /^[A-Z]{1,20}$/
const UNSHOWN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
const LONGEST_TEXT = 200

/** Undefined for what is not a whole line of an edge. */
export const parseRequest = (line: string): EdgeRequest | undefined => {
  const fields = parseObject(line)
  if (!fields) return undefined
  const { time, address, site, method, uri, status, userAgent, blockedBy } = fields
  const texts = [time, address, site, method, uri, status, userAgent, blockedBy]
  if (!texts.every(text => typeof text === 'string')) return undefined
  if (!TIME.test(time ?? '') || !STATUS.test(status ?? '')) return undefined
  const [path = '', ...query] = (uri ?? '').split('?')
  return {
    at: Math.round(Number(time) * 1000),
    address: address ?? '',
    site: site ?? '',
    method: METHOD.test(method ?? '') ? (method ?? '') : '',
    path: cleaned(path),
    query: query.join('?'),
    status: Number(status),
    userAgent: cleaned(userAgent ?? ''),
    blockedBy: blockedBy ?? '',
  }
}

const parseObject = (text: string): Record<string, string> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : undefined
  } catch {
    return undefined
  }
}

const cleaned = (text: string): string => text.slice(0, LONGEST_TEXT).toWellFormed().replace(UNSHOWN, '\ufffd')
