/** A part of a download, both ends included. */
export interface ByteRange {
  start: number
  end: number
}

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The part that a `Range` header asks for: undefined for all of it, which is also the answer to several parts and to
 * what cannot be read; null when there is no such part.
 */
export const rangeIn = (header: string | undefined, sizeBytes: number): ByteRange | undefined | null => {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') return fromEnd(Number(last), sizeBytes)
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start < sizeBytes ? { start, end } : null
}

const fromEnd = (count: number, sizeBytes: number): ByteRange | null =>
  count > 0 && sizeBytes > 0 ? { start: Math.max(0, sizeBytes - count), end: sizeBytes - 1 } : null
