import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInflateRaw } from 'node:zlib'
import { checkEntries } from './check-entries.ts'
import { contentOf } from './content-of.ts'
import { readDirectory } from './read-directory.ts'
import { NotZip, STORED, type ZipEntry } from './zip-entry.ts'

/** The SHA-256 of every file in an archive, by its name. Nothing is written, and no file may be longer than it says. */
export const fileSums = async (path: string, signal?: AbortSignal): Promise<Map<string, string>> => {
  await using file = await open(path)
  const entries = await readDirectory(file)
  checkEntries(entries, (await file.stat()).size)
  const sums = new Map<string, string>()
  for (const entry of entries) {
    if (entry.isFolder) continue
    signal?.throwIfAborted()
    sums.set(entry.name, await sumOf(path, await contentOf(file, entry), entry))
  }
  return sums
}

const sumOf = async (
  path: string,
  start: number,
  { packedBytes, unpackedBytes, method }: ZipEntry,
): Promise<string> => {
  const hash = createHash('sha256')
  if (packedBytes === 0) return hash.digest('hex')
  let leftBytes = unpackedBytes
  const count = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      leftBytes -= chunk.length
      if (leftBytes < 0) throw new NotZip()
      hash.update(chunk)
    }
  }
  const packed: Readable = createReadStream(path, { start, end: start + packedBytes - 1 })
  try {
    await (method === STORED ? pipeline(packed, count) : pipeline(packed, createInflateRaw(), count))
  } catch (error) {
    throw error instanceof NotZip ? error : new NotZip(error)
  }
  if (leftBytes !== 0) throw new NotZip()
  return hash.digest('hex')
}
