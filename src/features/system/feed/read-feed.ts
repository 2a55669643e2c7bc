import { Problem } from '#platform/contract/problem.ts'
import { Feed } from './feed.ts'
import { isSignedBy } from './signature.ts'
import trustedKeys from './trusted-keys.json' with { type: 'json' }

const FEED_MAX_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 20_000

/** Where the release keys of this copy are kept; the offline halves sign what it installs. */
export const TRUSTED_KEYS: readonly string[] = trustedKeys

export const NO_FEED = 'No release feed is set. Enter its address in the settings, under Panel updates.'

/** An update can't be told from a forged one without a key, so a copy without keys takes none. */
export const NO_KEYS =
  "This copy of Fleetpress trusts no release key, so it can't tell a release from a forged one and takes none. Update it by hand, as docs/releases.md says."

const refused = (reason: string) => new Problem('bad_gateway', `The release feed can't be used: ${reason}`)

/** A redirect could lead anywhere, so none is followed. */
const readBytes = async (url: URL, maxBytes: number): Promise<Buffer> => {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw refused("it couldn't be reached. Check its address in the settings, and the network of this machine.")
  })
  if (!answer.ok || !answer.body) throw refused(`its server answered with status ${answer.status}.`)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body) {
    size += part.length
    if (size > maxBytes) throw refused('it is larger than a feed can be.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const parse = (bytes: Buffer): Feed => {
  try {
    return Feed.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    throw refused('it is signed, but not in a form this version knows. Update by hand.')
  }
}

/** The feed at an address, if a trusted key signed it and it is not older than the one seen before. */
export const readFeed = async (
  feedUrl: string,
  seenIssuedAt: number,
  trusted: readonly string[] = TRUSTED_KEYS,
): Promise<Feed> => {
  if (feedUrl === '') throw new Problem('conflict', NO_FEED)
  if (trusted.length === 0) throw new Problem('conflict', NO_KEYS)
  const url = new URL(feedUrl)
  const bytes = await readBytes(url, FEED_MAX_BYTES)
  const signature = await readBytes(new URL(`${url.href}.sig`), 1024)
  if (!isSignedBy(bytes, signature.toString('utf8'), trusted)) throw refused('its signature is not from a trusted key.')
  const feed = parse(bytes)
  if (feed.issuedAt < seenIssuedAt) throw refused('it is older than one that was read before.')
  return feed
}
