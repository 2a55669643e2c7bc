import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

const CHUNK_BYTES = 64 * 1024

/** The end of a file of any size, read backwards only as far as needed, and never before `from`. */
export const lastLines = (file: string, count: number, from = 0): string => {
  if (!existsSync(file) || count === 0) return ''
  const fd = openSync(file, 'r')
  try {
    let position = fstatSync(fd).size
    let tail = Buffer.alloc(0)
    // One more line end than lines: the text of the first line starts behind one.
    while (position > from && countLineEnds(tail) <= count) {
      const size = Math.min(CHUNK_BYTES, position - from)
      position -= size
      const chunk = Buffer.alloc(size)
      readSync(fd, chunk, 0, size, position)
      tail = Buffer.concat([chunk, tail])
    }
    const lines = tail.toString('utf8').replace(/\n$/, '').split('\n')
    return lines.slice(-count).join('\n')
  } finally {
    closeSync(fd)
  }
}

const countLineEnds = (text: Buffer): number => {
  let count = 0
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) count += 1
  return count
}
