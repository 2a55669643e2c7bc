import { crc32, deflateRawSync } from 'node:zlib'

/** An entry as an archive may describe it; whatever is left out is as it should be. */
export interface ZipEntry {
  name: string | Buffer
  content?: Buffer | string
  /** Unix mode with the kind of file in it. */
  mode?: number
  flags?: number
  method?: number
  /** What the entry says of itself, where that is not true. */
  sizeSaid?: number
  crcSaid?: number
  /** Uses the bytes of the entry before it. */
  overlaps?: true
}

const UTF8_FLAG = 0x800
const DEFLATE = 8
const MADE_BY_UNIX = 0x031e
const REGULAR = 0o100644

const fields = (...values: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      if (bytes === 2) field.writeUInt16LE(value)
      else field.writeUInt32LE(value >>> 0)
      return field
    }),
  )

/** An archive with these entries, honest or not. */
export const zipOf = (entries: readonly ZipEntry[]): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  let before = 0
  for (const entry of entries) {
    const { mode = REGULAR, flags = UTF8_FLAG, method = DEFLATE } = entry
    const name = Buffer.from(entry.name)
    const content = Buffer.from(entry.content ?? '')
    const packed = method === DEFLATE ? deflateRawSync(content) : content
    const facts = fields(
      [4, entry.crcSaid ?? crc32(content)],
      [4, packed.length],
      [4, entry.sizeSaid ?? content.length],
      [2, name.length],
      [2, 0],
    )
    const common = fields([2, 20], [2, flags], [2, method], [2, 0], [2, 0x21])
    const local = Buffer.concat([fields([4, 0x04034b50]), common, facts, name, packed])
    const offset = entry.overlaps ? before : at
    directory.push(
      Buffer.concat([
        fields([4, 0x02014b50], [2, MADE_BY_UNIX]),
        common,
        facts,
        fields([2, 0], [2, 0], [2, 0], [4, mode << 16], [4, offset]),
        name,
      ]),
    )
    if (entry.overlaps) continue
    parts.push(local)
    before = at
    at += local.length
  }
  const central = Buffer.concat(directory)
  const count = entries.length
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, central.length], [4, at], [2, 0])
  return Buffer.concat([...parts, central, end])
}
