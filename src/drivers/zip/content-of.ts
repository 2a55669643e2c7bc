import type { FileHandle } from 'node:fs/promises'
import { readAt } from './read-directory.ts'
import { NotZip, type ZipEntry } from './zip-entry.ts'

const LOCAL_MARK = 0x04034b50
const LOCAL_HEADER_BYTES = 30

/** Where the packed bytes of an entry begin. */
export const contentOf = async (file: FileHandle, entry: ZipEntry): Promise<number> => {
  const header = await readAt(file, entry.offset, LOCAL_HEADER_BYTES)
  if (header.readUInt32LE(0) !== LOCAL_MARK) throw new NotZip()
  return entry.offset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
}
