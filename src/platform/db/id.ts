import { randomFillSync } from 'node:crypto'

const RANDOM_BYTES = 8
/** Asking the system for randomness costs more than the rest of an id, so it is asked for many at once. */
const pool = Buffer.alloc(RANDOM_BYTES * 512)
let used = pool.length

const randomPart = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += RANDOM_BYTES
  return pool.subarray(used - RANDOM_BYTES, used)
}

let lastMs = 0
let counter = 0

/**
 * A new id: UUID version 7. Ids made by one process sort in the order they were made, also within a millisecond and
 * when the clock steps back, so jobs queue in the order they were asked for and lists page by primary key.
 */
export const newId = (nowMs: number = Date.now()): string => {
  if (nowMs > lastMs) {
    lastMs = nowMs
    counter = 0
  } else {
    counter += 1
    if (counter > 0xfff) {
      lastMs += 1
      counter = 0
    }
  }
  const time = lastMs.toString(16).padStart(12, '0')
  const random = randomPart()
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80
  const tail = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`
}
