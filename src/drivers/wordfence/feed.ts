import { z } from 'zod'
import { KnownError } from '#platform/contract/known-error.ts'
import { cleanLine } from '#platform/log/clean-line.ts'
import { splitRecords } from './split-records.ts'

const FEED_MS = 10 * 60_000
const MAX_FEED_BYTES = 1024 ** 3

export const WORDFENCE_FEED = 'https://www.wordfence.com/api/intelligence/v2/vulnerabilities/production'

/** Whatever comes in its place is not used. */
export class FeedUnreachable extends KnownError {
  readonly code = 'vulnerability_feed_unreachable'
}

/** What the service said of the copy that is at hand. */
export interface FeedMark {
  readonly etag: string | null
  readonly lastModified: string | null
}

const line = (longest: number) => z.string().transform(text => cleanLine(text.replace(/\s+/g, ' '), longest).trim())
const Version = line(60)
const Range = z.object({
  from_version: Version,
  from_inclusive: z.boolean(),
  to_version: Version,
  to_inclusive: z.boolean(),
})
export type VersionRange = z.output<typeof Range>

/** PHP writes an empty map as a list. */
const Ranges = z.preprocess(value => (Array.isArray(value) ? {} : value), z.record(z.string(), Range))
const RATINGS = ['none', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof RATINGS)[number]

const Vulnerability = z.object({
  id: line(60),
  title: line(300),
  software: z.array(
    z.object({
      type: z.enum(['plugin', 'theme', 'core']),
      slug: line(200),
      affected_versions: Ranges,
      patched_versions: z.array(Version).catch([]),
    }),
  ),
  references: z.array(line(500)).catch([]),
  cvss: z
    .object({ score: z.number(), rating: z.string() })
    .transform(({ score, rating }) => ({
      score,
      rating: RATINGS.find(each => each === rating.toLowerCase()) ?? 'none',
    }))
    .nullish()
    .catch(null),
  cve: line(40).nullish(),
})
export type Vulnerability = z.output<typeof Vulnerability>

interface Asked extends FeedMark {
  readonly url: string
  readonly token: string
  readonly signal?: AbortSignal | undefined
}

type Feed = 'unchanged' | { readonly mark: FeedMark; readonly records: AsyncIterable<Vulnerability> }

/** The whole feed, or that it is the same as at hand. */
export const readFeed = async ({ url, token, etag, lastModified, signal }: Asked): Promise<Feed> => {
  const limit = AbortSignal.timeout(FEED_MS)
  const stop = signal ? AbortSignal.any([signal, limit]) : limit
  const headers = {
    'user-agent': 'fleetpress',
    ...(token !== '' && { authorization: `Bearer ${token}` }),
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  }
  const response = await fetch(url, { headers, signal: stop }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw new FeedUnreachable("The vulnerability feed can't be reached.", { cause: error })
  })
  if (response.status === 304) return 'unchanged'
  if (!response.ok || !response.body)
    throw new FeedUnreachable(`The vulnerability feed returned status ${response.status}.`)
  const mark = { etag: response.headers.get('etag'), lastModified: response.headers.get('last-modified') }
  return { mark, records: recordsIn(response.body) }
}

/** A record in a form that is not known is left out; a feed without any does not replace the last one. */
async function* recordsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<Vulnerability> {
  try {
    for await (const text of splitRecords(limited(body))) {
      const parsed = Vulnerability.safeParse(JSON.parse(text))
      if (parsed.success) yield parsed.data
    }
  } catch (error) {
    throw new FeedUnreachable("The vulnerability feed can't be read.", { cause: error })
  }
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = MAX_FEED_BYTES
  for await (const chunk of body) {
    left -= chunk.length
    if (left < 0) throw new Error('the feed is longer than any can be')
    yield chunk
  }
}
