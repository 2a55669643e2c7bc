import type { FileHandle } from 'node:fs/promises'
import { constants, inflateRawSync } from 'node:zlib'
import { contentOf } from './content-of.ts'
import { readAt } from './read-directory.ts'
import { NotZip, STORED, type ZipEntry } from './zip-entry.ts'

/** Deflate makes at most a thousand bytes of one, so this bounds what is ever held. */
const MOST_PACKED_BYTES = 16 * 1024
const MOST_UNPACKED_BYTES = 32 * 1024 ** 2

/** The first bytes of a file in an archive. Never more of it is unpacked than these packed bytes make. */
export const readBeginning = async (file: FileHandle, entry: ZipEntry, bytes: number): Promise<Buffer> => {
  const packed = await readAt(file, await contentOf(file, entry), Math.min(entry.packedBytes, MOST_PACKED_BYTES))
  if (entry.method === STORED) return packed.subarray(0, bytes)
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_UNPACKED_BYTES }
    return inflateRawSync(packed, options).subarray(0, bytes)
  } catch (error) {
    throw new NotZip(error)
  }
}
