import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { Feed, isSignedBy, newReleaseKey, signFeed, TRUSTED_KEYS } from '#features/system/index.ts'
import { readConfig } from '#platform/config/config.ts'
import { sha256Of } from '#platform/db/snapshot.ts'
import { EXIT, errnoOf, Failure } from '../failure.ts'
import { ensureSshCrypto } from '../install/ssh-crypto.ts'
import { packRelease } from '../release/pack-release.ts'
import { inRepository, readVersion } from '../repository.ts'
import { out } from '../terminal.ts'
import { ensureWeb } from '../up/web.ts'

const FEED = 'releases.json'

const KEYS = 'src/features/system/feed/trusted-keys.json'

export const createReleaseKey = async (file: string, { trust }: { trust?: boolean }): Promise<void> => {
  const { privateKeyPem, publicKey } = newReleaseKey()
  try {
    writeFileSync(file, privateKeyPem, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    throw new Failure(`${file} already exists, and a key is never overwritten.`, EXIT.conflict)
  }
  out(`The private key is in ${file}. Keep it offline.`)
  if (trust) writeFileSync(inRepository(KEYS), `${JSON.stringify([...TRUSTED_KEYS, publicKey], undefined, 2)}\n`)
  out(trust ? `Its public half is in ${KEYS}. Commit that file:` : `Add its public half to ${KEYS}:`)
  out(`  ${publicKey}`)
}

const feedIn = (file: string): Feed =>
  existsSync(file)
    ? Feed.parse(JSON.parse(readFileSync(file, 'utf8')))
    : { format: 'fleetpress-releases', issuedAt: 0, releases: [] }

const sign = (file: string, bytes: Buffer, keyFile: string): void => {
  const signature = signFeed(bytes, readFileSync(keyFile, 'utf8'))
  if (!isSignedBy(bytes, signature, TRUSTED_KEYS))
    throw new Failure(`The public half of ${keyFile} is not in ${KEYS}, so no panel would take this feed.`)
  writeFileSync(`${file}.sig`, `${signature}\n`)
}

/** Panels that install a version without keys could never update again. */
const requireKeys = (): void => {
  if (TRUSTED_KEYS.length === 0)
    throw new Failure(
      `${KEYS} is empty, so a panel with this version would take no update. Create a key with \`./fleetpress release key FILE --trust\`.`,
    )
}

/** The signature first: a reader in between finds one that does not fit, and asks again later. */
const writeFeed = (file: string, feed: Feed, keyFile: string | undefined): void => {
  const bytes = Buffer.from(`${JSON.stringify(feed, undefined, 2)}\n`)
  if (keyFile === undefined) rmSync(`${file}.sig`, { force: true })
  else sign(file, bytes, keyFile)
  writeFileSync(`${file}.next`, bytes)
  renameSync(`${file}.next`, file)
}

/** Signs a feed that was built where the key is not. */
export const signRelease = async (folder: string, { key }: { key: string }): Promise<void> => {
  const file = join(resolve(folder), FEED)
  if (!existsSync(file))
    throw new Failure(`There is no ${file}. Build it with \`./fleetpress release build\`.`, EXIT.notFound)
  const { releases } = feedIn(file)
  sign(file, readFileSync(file), key)
  out(
    `Signed versions: ${releases.map(({ version }) => version).join(', ')}. Publish ${FEED} and ${FEED}.sig together.`,
  )
}

/** Packs this version and adds it to the feed of a folder, which any web server can offer as it is. */
export const buildRelease = async (target: string, options: { key?: string; notes?: string }): Promise<void> => {
  requireKeys()
  const folder = resolve(target)
  const version = readVersion()
  const feedFile = join(folder, FEED)
  mkdirSync(folder, { recursive: true })
  const feed = feedIn(feedFile)
  if (feed.releases.some(release => release.version === version))
    throw new Failure(`The feed already has version ${version}: raise the version in package.json.`, EXIT.conflict)
  await ensureWeb()
  const archive = join(folder, `fleetpress-${version}.tar.gz`)
  packRelease(version, archive)
  const release = {
    version,
    publishedAt: Date.now(),
    notes: options.notes === undefined ? '' : readFileSync(options.notes, 'utf8').trim(),
    url: basename(archive),
    sizeBytes: statSync(archive).size,
    sha256: await sha256Of(archive),
  }
  const issuedAt = Math.max(Date.now(), feed.issuedAt + 1)
  writeFeed(feedFile, { ...feed, issuedAt, releases: [...feed.releases, release] }, options.key)
  out(`Version ${version} is in ${feedFile}.`)
  if (options.key === undefined) out('It is not signed yet: run `./fleetpress release sign` where the key is.')
}

/** What is tried out holds every secret, so it ends with the update that asked for it. */
const endWithParent = (): void => {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.exit(EXIT.interrupted), 100).unref()
}

/** Starts this version with a snapshot in an empty data folder; asked for by the version that it is to replace. */
export const tryRelease = async (snapshot: string): Promise<void> => {
  endWithParent()
  const config = readConfig(process.env)
  await ensureWeb()
  await ensureSshCrypto()
  const { restoreSnapshot } = await import('#app/local.ts')
  await restoreSnapshot(config, resolve(snapshot), () => {})
  const { tryPanel } = await import('#app/local-copy.ts')
  await tryPanel(config)
}
