import type { FileHandle } from 'node:fs/promises'
import { NotZip, UnsafeZip, type ZipEntry } from './zip-entry.ts'

const END_MARK = 0x06054b50
const ENTRY_MARK = 0x02014b50
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
const ENTRY_BYTES = 46
const MOST_ENTRIES = 100_000
const LARGEST_DIRECTORY = 64 * 1024 ** 2
const ENCRYPTED_FLAG = 0x1
const MADE_BY_UNIX = 3
const KIND_BITS = 0o170000
const PLAIN_KINDS = [0, 0o100000, 0o040000]

/** The list at the end of an archive. Only the list is read: nothing is unpacked, and its length is known before. */
export const readDirectory = async (file: FileHandle): Promise<ZipEntry[]> => {
  const { size } = await file.stat()
  const { count, offset, bytes } = await readEnd(file, size)
  if (count > MOST_ENTRIES) throw new UnsafeZip(`it has more than ${MOST_ENTRIES} entries`)
  if (bytes > LARGEST_DIRECTORY || offset + bytes > size) throw new NotZip()
  const directory = await readAt(file, offset, bytes)
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < count; ) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_MARK) throw new NotZip()
    const [name, extra, comment] = [28, 30, 32].map(field => directory.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ]
    const end = at + ENTRY_BYTES + name + extra + comment
    if (end > directory.length) throw new NotZip()
    entries.push(entryAt(directory.subarray(at, at + ENTRY_BYTES + name)))
    at = end
  }
  return entries
}

const readEnd = async (file: FileHandle, size: number) => {
  const length = Math.min(size, END_BYTES + LONGEST_COMMENT)
  const tail = await readAt(file, size - length, length)
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_MARK || tail.readUInt16LE(at + 20) !== tail.length - END_BYTES - at) continue
    return { count: tail.readUInt16LE(at + 10), bytes: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) }
  }
  throw new NotZip()
}

export const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  if (bytesRead !== length) throw new NotZip()
  return bytes
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const entryAt = (record: Buffer): ZipEntry => {
  const name = nameOf(record.subarray(ENTRY_BYTES))
  const isUnix = record.readUInt8(5) === MADE_BY_UNIX
  const kind = isUnix ? (record.readUInt32LE(38) >>> 16) & KIND_BITS : 0
  return {
    name,
    isFolder: name.endsWith('/'),
    isPlain: PLAIN_KINDS.includes(kind),
    isEncrypted: (record.readUInt16LE(8) & ENCRYPTED_FLAG) !== 0,
    method: record.readUInt16LE(10),
    packedBytes: record.readUInt32LE(20),
    unpackedBytes: record.readUInt32LE(24),
    offset: record.readUInt32LE(42),
  }
}

const nameOf = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new UnsafeZip('a name in it is not UTF-8')
  }
}
