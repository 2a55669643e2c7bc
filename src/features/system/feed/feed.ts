import { z } from 'zod'
import { Version } from '../contract.ts'

const FeedRelease = z.strictObject({
  version: Version,
  publishedAt: z.number().int().min(0),
  notes: z.string().max(20_000),
  /** Of the archive; may be relative to the feed. */
  url: z.string().min(1).max(2000),
  sizeBytes: z.number().int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type FeedRelease = z.infer<typeof FeedRelease>

/** What is signed: every release there is. */
export const Feed = z.strictObject({
  format: z.literal('fleetpress-releases'),
  /** Never goes back, so that an old feed with its old signature is told from the newest one. */
  issuedAt: z.number().int().min(0),
  releases: z.array(FeedRelease).max(1000),
})
export type Feed = z.infer<typeof Feed>

/** Above 0 when `a` is newer. */
export const compareReleases = (a: string, b: string): number => {
  const [left, right] = [a, b].map(version => version.split('.').map(Number))
  for (const at of [0, 1, 2]) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

export const newestFirst = ({ releases }: Feed): FeedRelease[] =>
  releases.toSorted((a, b) => compareReleases(b.version, a.version))

/** The newest release, if it is newer than what runs. */
export const findNewer = (feed: Feed, current: string): FeedRelease | undefined =>
  newestFirst(feed).find(({ version }) => compareReleases(version, current) > 0)
