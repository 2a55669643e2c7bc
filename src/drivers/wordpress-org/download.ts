import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { readBody, type WordpressOrg } from './exchange.ts'

const DOWNLOAD_MS = 10 * 60_000
const MAX_ARCHIVE_BYTES = 256 * 1024 * 1024

interface Download {
  readonly url: string
  readonly path: string
  readonly algorithm: 'sha1' | 'sha256'
}

/** The checksum of what came; undefined when the service has no such file. A cut download is begun again. */
export const downloadTo = async (
  service: WordpressOrg,
  { url, path, algorithm }: Download,
): Promise<string | undefined> => {
  const hash = createHash(algorithm)
  const file = await open(path, 'w', 0o644)
  try {
    const asked = { url, timeoutMs: DOWNLOAD_MS, maxBytes: MAX_ARCHIVE_BYTES }
    const found = await readBody(service, asked, async chunk => {
      hash.update(chunk)
      await file.writeFile(chunk)
    })
    return found ? hash.digest('hex') : undefined
  } finally {
    await file.close()
  }
}
