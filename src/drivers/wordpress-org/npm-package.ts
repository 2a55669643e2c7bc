import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { exec } from '#platform/host/command.ts'
import type { Host } from '#platform/host/host.ts'
import { inSequence } from '#platform/sequence/in-sequence.ts'
import { WrongChecksum } from './errors.ts'

const NAME = 'wp-studio'
const VERSION = '1.22.0'
const SHA512 = 'boMtahkhgWDKKyNTBA1uTK5ghnAmxXhDY6KeQCO9FmcI3/o+YOSq8JwYW5ZYnxHCxH14Jf/mD6CJTBvTWl2Ytw=='
const PACK_TIMEOUT_MS = 5 * 60_000

/** What this version of the package carries below `package/dist/cli/wp-files/`. */
export const STUDIO = {
  wpCli: 'package/dist/cli/wp-files/wp-cli/wp-cli.phar',
  core: 'package/dist/cli/wp-files/latest/wordpress/',
  languages: 'package/dist/cli/wp-files/latest/languages/',
  coreVersion: '7.1.1',
  locales:
    'ar de_DE es_ES fr_FR he_IL hu_HU id_ID it_IT ja ko_KR nl_NL pl_PL pt_BR ru_RU sv_SE tr_TR uk vi zh_CN zh_TW'.split(
      ' ',
    ),
} as const

export interface PackageCache {
  /** The panel's own, which can start npm. */
  readonly host: Host
  /** Keeps the archive for the next time. */
  readonly cacheDir: string
  readonly signal?: AbortSignal | undefined
}

/** The archive of a package of npm's that carries WordPress and WP-CLI, for machines that reach no other place. */
export const fetchStudioPackage = ({ host, cacheDir, signal }: PackageCache): Promise<string> =>
  inSequence(`${cacheDir} ${NAME}`, async () => {
    const kept = `${cacheDir}/${NAME}-${VERSION}.tgz`
    if ((await sha512Of(kept)) === SHA512) return kept
    const folder = `${cacheDir}/.npm-${randomUUID()}`
    await mkdir(folder, { recursive: true })
    try {
      // The panel may not write to its user's home, where npm would keep what it downloads.
      const pack = exec('npm', 'pack', '--loglevel=error', `--cache=${folder}/cache`, `${NAME}@${VERSION}`)
      await host.run(pack, { cwd: folder, timeoutMs: PACK_TIMEOUT_MS, signal })
      const packed = `${folder}/${NAME}-${VERSION}.tgz`
      const found = await sha512Of(packed)
      if (found !== SHA512) throw new WrongChecksum(`${NAME} ${VERSION}`, SHA512, String(found))
      await rename(packed, kept)
      return kept
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

/** Undefined when there is no such file. */
const sha512Of = async (path: string): Promise<string | undefined> => {
  const hash = createHash('sha512')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('base64')
}
