import { createHash } from 'node:crypto'
import { fetchStudioPackage, STUDIO } from '#drivers/wordpress-org/npm-package.ts'
import { exec } from '#platform/host/command.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Progress } from './debian.ts'

const VERSION = '2.12.0'
const DOWNLOAD = `https://github.com/wp-cli/wp-cli/releases/download/v${VERSION}/wp-cli-${VERSION}.phar`
const DOWNLOAD_TIMEOUT_MS = 20_000
const UNPACK_TIMEOUT_MS = 60_000

/** What is built in is this file and no other, wherever it came from. */
export const WP_CLI_SHA256 = 'ce34ddd838f7351d6759068d09793f26755463b4a4610a5a5c0a97b68220d85c'

interface FetchOptions extends Progress {
  /** The panel's data folder, which keeps the file for the next build. */
  readonly dataDir: string
}

export const fetchWpCli = async (host: Host, { dataDir, onLine, signal }: FetchOptions): Promise<Buffer> => {
  const folder = `${dataDir}/cache`
  const kept = `${folder}/wp-cli-${WP_CLI_SHA256}.phar`
  const found = await readKept(host, kept)
  if (found && isGenuine(found)) return found
  onLine?.(`Downloading WP-CLI ${VERSION}.`)
  await host.makeDir(folder)
  const fetched = (await download(signal)) ?? (await unpackFromNpm(host, folder, signal))
  if (!isGenuine(fetched)) throw new Error(`the download of WP-CLI ${VERSION} has the wrong checksum`)
  await host.writeFile(kept, fetched, { mode: 0o644 })
  return fetched
}

const isGenuine = (data: Buffer): boolean => createHash('sha256').update(data).digest('hex') === WP_CLI_SHA256

const readKept = async (host: Host, path: string): Promise<Buffer | undefined> => {
  try {
    return await host.readFile(path)
  } catch (error) {
    if (error instanceof FileNotFound) return undefined
    throw error
  }
}

/** Undefined when the place cannot be reached or has something else. */
const download = async (signal: AbortSignal | undefined): Promise<Buffer | undefined> => {
  const tooLate = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)
  try {
    const answer = await fetch(DOWNLOAD, { signal: signal ? AbortSignal.any([signal, tooLate]) : tooLate })
    const data = Buffer.from(await answer.arrayBuffer())
    return answer.ok && isGenuine(data) ? data : undefined
  } catch {
    signal?.throwIfAborted()
    return undefined
  }
}

/** Out of the package that also carries WordPress, which is fetched and kept once for both. */
const unpackFromNpm = async (host: Host, cacheDir: string, signal: AbortSignal | undefined): Promise<Buffer> => {
  const archive = await fetchStudioPackage({ host, cacheDir, signal })
  const folder = `${cacheDir}/wp-cli`
  await host.makeDir(folder)
  try {
    await host.run(exec('tar', '-xzf', archive, STUDIO.wpCli), { cwd: folder, timeoutMs: UNPACK_TIMEOUT_MS, signal })
    return await host.readFile(`${folder}/${STUDIO.wpCli}`)
  } finally {
    await host.run(exec('rm', '-rf', '--', folder))
  }
}
