import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { WrongChecksum } from './errors.ts'

const ROOT = 'wordpress/'
/** Translations and bundled plugins differ between the archives of one release; where they are listed they must fit. */
const MAY_BE_UNLISTED = 'wp-content/'

/**
 * Holds each file of an archive against the list of another service: anyone who changed the archive and the checksum next to
 * it would have to change that list, too. A file of WordPress itself that is missing or unlisted is refused.
 */
export const verifyFiles = async (archive: string, expected: ReadonlyMap<string, string>): Promise<void> => {
  const found = await checksumsIn(archive)
  for (const [path, md5] of found) {
    const promised = expected.get(path)
    if (promised === undefined && path.startsWith(MAY_BE_UNLISTED)) continue
    if (promised !== md5) throw new WrongChecksum(`${path} of the archive`, promised ?? 'no such file', md5)
  }
  const missing = [...expected.keys()].find(path => !path.startsWith(MAY_BE_UNLISTED) && !found.has(path))
  if (missing !== undefined) throw new WrongChecksum(`${missing} of the archive`, 'a file', 'none')
}

/** The MD5 of each file, by its path. */
export const checksumsIn = async (archive: string): Promise<Map<string, string>> => {
  const found = new Map<string, string>()
  const entries = extract()
  const read = pipeline(createReadStream(archive), createGunzip(), entries)
  // It is awaited at the end, and a failure ends the loop.
  read.catch(error => entries.destroy(error as Error))
  for await (const entry of entries) {
    const { name, type } = entry.header
    const hash = createHash('md5')
    for await (const chunk of entry) hash.update(chunk as Buffer)
    if (type === 'file' && name.startsWith(ROOT)) found.set(name.slice(ROOT.length), hash.digest('hex'))
  }
  await read
  return found
}
