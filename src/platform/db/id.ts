import { randomBytes } from 'node:crypto'

const RANDOM_DIGITS = 15
const IDS_PER_DRAW = 512
/** Asking the system for randomness and writing it as text cost more than the rest of an id, so both are done for many at once. */
let pool = ''
let used = 0

const randomPart = (): string => {
  if (used === pool.length) {
    pool = randomBytes((RANDOM_DIGITS * IDS_PER_DRAW) / 2).toString('hex')
    used = 0
  }
  used += RANDOM_DIGITS
  return pool.slice(used - RANDOM_DIGITS, used)
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
  const step = counter.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${step}-8${random.slice(0, 3)}-${random.slice(3)}`
}
