import { createHash } from 'node:crypto'
import { exec } from '#platform/host/command.ts'
import { FileNotFound } from '#platform/host/errors.ts'
import type { Host } from '#platform/host/host.ts'
import type { Progress } from './debian.ts'

const VERSION = '2.12.0'
const DOWNLOAD = `https://github.com/wp-cli/wp-cli/releases/download/v${VERSION}/wp-cli-${VERSION}.phar`
/** A package of npm's that carries the same file, for machines that reach no other place. */
const NPM_PACKAGE = 'wp-studio@1.22.0'
const FILE_IN_PACKAGE = 'package/dist/cli/wp-files/wp-cli/wp-cli.phar'
const DOWNLOAD_TIMEOUT_MS = 20_000
const PACK_TIMEOUT_MS = 5 * 60_000

/** What is built in is this file and no other, wherever it came from. */
export const WP_CLI_SHA256 = 'ce34ddd838f7351d6759068d09793f26755463b4a4610a5a5c0a97b68220d85c'

interface Place extends Progress {
  /** The panel's data folder, which keeps the file for the next build. */
  readonly dataDir: string
}

export const fetchWpCli = async (host: Host, { dataDir, onLine, signal }: Place): Promise<Buffer> => {
  const folder = `${dataDir}/cache`
  const kept = `${folder}/wp-cli-${WP_CLI_SHA256}.phar`
  const found = await readKept(host, kept)
  if (found && isGenuine(found)) return found
  onLine?.(`Fetching WP-CLI ${VERSION}.`)
  await host.makeDir(folder)
  const fetched = (await download(signal)) ?? (await unpackFromNpm(host, `${folder}/npm`, signal))
  if (!isGenuine(fetched)) throw new Error(`what was fetched as WP-CLI ${VERSION} has another checksum`)
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

const unpackFromNpm = async (host: Host, folder: string, signal: AbortSignal | undefined): Promise<Buffer> => {
  const remove = exec('rm', '-rf', '--', folder)
  // What an interrupted try left there.
  await host.run(remove)
  await host.makeDir(folder)
  try {
    const options = { cwd: folder, timeoutMs: PACK_TIMEOUT_MS, signal }
    // The panel may not write to its user's home, where npm would keep what it downloads.
    const pack = exec('npm', 'pack', '--loglevel=error', `--cache=${folder}/cache`, NPM_PACKAGE)
    const packed = await host.run(pack, options)
    await host.run(exec('tar', '-xzf', packed.stdout.trim(), FILE_IN_PACKAGE), options)
    return await host.readFile(`${folder}/${FILE_IN_PACKAGE}`)
  } finally {
    await host.run(remove)
  }
}
