import { createHash } from 'node:crypto'
import { copyFileSync, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { diskOf, type FeedRelease, type UpdateState, updateFolder } from '#features/system/index.ts'
import type { Config } from '#platform/config/config.ts'
import { MASTER_KEY_FILE } from '#platform/secrets/master-key.ts'
import { Failure } from '../failure.ts'
import { call } from './call.ts'

const MIB = 1024 ** 2
/** Packages and what is compiled, next to the archive and what it unpacks to. */
const ROOM_BYTES = 1500 * MIB
const UNPACKED_TIMES = 6
const DOWNLOAD_LIMIT_MS = 30 * 60_000

export const checkRoom = async ({ sizeBytes }: FeedRelease, ...folders: string[]): Promise<void> => {
  const needed = ROOM_BYTES + sizeBytes * UNPACKED_TIMES
  for (const folder of folders) {
    const { freeBytes } = await diskOf(folder)
    if (freeBytes < needed)
      throw new Failure(
        `The disk of ${folder} needs ${Math.ceil(needed / MIB)} MiB free and has ${Math.floor(freeBytes / MIB)}.`,
      )
  }
}

/** Lets through what was announced and nothing more; the hash is known at the end. */
const measured = (sizeBytes: number) => {
  const hash = createHash('sha256')
  let size = 0
  const stream = new Transform({
    transform(part: Buffer, _, done) {
      size += part.length
      hash.update(part)
      done(size > sizeBytes ? new Failure('The release is larger than the feed says. It was not used.') : null, part)
    },
  })
  return { stream, isWhole: (sha256: string) => size === sizeBytes && hash.digest('hex') === sha256 }
}

export const download = async (feedUrl: string, release: FeedRelease, file: string): Promise<void> => {
  const url = new URL(release.url, feedUrl)
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(DOWNLOAD_LIMIT_MS) }).catch(() => {
    throw new Failure(`The release can't be downloaded: ${url.host} can't be reached.`)
  })
  if (!answer.ok || !answer.body) throw new Failure(`The release can't be downloaded: status ${answer.status}.`)
  const { stream, isWhole } = measured(release.sizeBytes)
  await pipeline(Readable.fromWeb(answer.body), stream, createWriteStream(file, { mode: 0o600 }))
  if (!isWhole(release.sha256)) throw new Failure('The release is damaged: its checksum is not the one of the feed.')
}

/** Next to the old version, under another name until it is whole. */
export const unpack = async (archive: string, { newRoot, to }: UpdateState): Promise<void> => {
  const partial = `${newRoot}.unpacking`
  rmSync(partial, { recursive: true, force: true })
  rmSync(newRoot, { recursive: true, force: true })
  mkdirSync(partial, { mode: 0o755 })
  const words = ['tar', '-xzf', archive, '-C', partial, '--no-same-owner', '--strip-components=1'] as const
  await call(words, process.env, "The release can't be unpacked")
  const { version } = JSON.parse(readFileSync(join(partial, 'package.json'), 'utf8')) as { version: string }
  if (version !== to) throw new Failure(`The release calls itself ${version} and not ${to}. It was not used.`)
  renameSync(partial, newRoot)
}

const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8')

/** Where the list of packages is the same, both versions share the files. Any command of the new version installs what is missing. */
export const installPackages = async ({ oldRoot, newRoot }: UpdateState, env: NodeJS.ProcessEnv): Promise<void> => {
  const modules = join(newRoot, 'node_modules')
  if (lockOf(oldRoot) === lockOf(newRoot) && !existsSync(modules))
    await call(['cp', '-al', join(oldRoot, 'node_modules'), modules], env, "The packages can't be copied")
  await call([join(newRoot, 'fleetpress'), '--version'], env, "The packages of the new version can't be installed")
}

/** The new version starts with a copy of everything the panel knows, in a folder of its own, and lets no one in. */
export const tryRelease = async (config: Config, { newRoot }: UpdateState, env: NodeJS.ProcessEnv): Promise<void> => {
  const { takeSnapshot } = await import('#app/local.ts')
  const { file } = await takeSnapshot(config, () => {})
  const folder = join(updateFolder(config.dataDir), 'trial')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    copyFileSync(join(config.dataDir, MASTER_KEY_FILE), join(folder, MASTER_KEY_FILE))
    const { DATABASE_URL: _, ...rest } = env
    const words = [join(newRoot, 'fleetpress'), 'release', 'trial', file] as const
    await call(words, { ...rest, FLEETPRESS_DATA: folder }, "The new version doesn't start with a copy of the database")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
