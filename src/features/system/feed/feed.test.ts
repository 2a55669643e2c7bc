import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Feed } from './feed.ts'
import { compareReleases, findNewer } from './feed.ts'
import { readFeed } from './read-feed.ts'
import { newReleaseKey, signFeed } from './signature.ts'

const ours = newReleaseKey()
const foreign = newReleaseKey()
const trusted = [ours.publicKey]

const release = (version: string) => ({
  version,
  publishedAt: 1,
  notes: '',
  url: `fleetpress-${version}.tar.gz`,
  sizeBytes: 1,
  sha256: '0'.repeat(64),
})
const feed: Feed = { format: 'fleetpress-releases', issuedAt: 1000, releases: [release('1.2.0'), release('1.10.0')] }
const bytes = Buffer.from(JSON.stringify(feed))

describe('the release feed', () => {
  const files = new Map<string, Buffer>()
  let server: Server
  let origin = ''
  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/moved') return response.writeHead(302, { location: '/feed' }).end()
      const found = files.get(request.url ?? '')
      return found ? response.end(found) : response.writeHead(404).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())

  const serve = (name: string, body: Buffer, signature: string) => {
    files.set(`/${name}`, body)
    files.set(`/${name}.sig`, Buffer.from(signature))
    return `${origin}/${name}`
  }
  const refuses = (url: string, reason: RegExp, keys: readonly string[] = trusted, seen = 0) =>
    assert.rejects(readFeed(url, seen, keys), { message: reason })

  it('is read when a trusted key signed it', async () => {
    const url = serve('feed', bytes, signFeed(bytes, ours.privateKeyPem))
    assert.deepEqual(await readFeed(url, 1000, trusted), feed)
    assert.equal(findNewer(feed, '1.9.9')?.version, '1.10.0')
    assert.equal(findNewer(feed, '1.10.0'), undefined)
  })

  it('is refused with one changed byte, a foreign key, no key at all, or a signature cut short', async () => {
    const signature = signFeed(bytes, ours.privateKeyPem)
    for (const at of [0, 20, bytes.length - 1]) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      await refuses(serve('flipped', flipped, signature), /signature is not from a trusted key/)
    }
    await refuses(
      serve('foreign', bytes, signFeed(bytes, foreign.privateKeyPem)),
      /signature is not from a trusted key/,
    )
    await refuses(serve('short', bytes, signature.slice(0, 40)), /signature is not from a trusted key/)
    await refuses(serve('feed', bytes, signature), /trusts no release key/, [])
  })

  it('is refused when it is older than one that was seen, redirected, missing or of another kind', async () => {
    const url = serve('feed', bytes, signFeed(bytes, ours.privateKeyPem))
    await refuses(url, /older than one that was read before/, trusted, 1001)
    await refuses(`${origin}/moved`, /couldn't be reached/)
    await refuses(`${origin}/nothing`, /status 404/)
    const other = Buffer.from('{}')
    await refuses(serve('other', other, signFeed(other, ours.privateKeyPem)), /not in a form this version knows/)
    await refuses('', /No release feed is set/)
  })

  it('has versions that are compared by their numbers', () => {
    assert.ok(compareReleases('1.10.0', '1.9.9') > 0)
    assert.ok(compareReleases('0.9.9', '1.0.0') < 0)
    assert.equal(compareReleases('2.0.1', '2.0.1'), 0)
  })
})
