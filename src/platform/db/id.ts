import { randomBytes } from 'node:crypto'

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
  const random = randomBytes(8)
  random[0] = ((random[0] ?? 0) & 0x3f) | 0x80
  const tail = random.toString('hex')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail.slice(0, 4)}-${tail.slice(4)}`
}
