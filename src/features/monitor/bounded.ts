export type Bounded = <T>(work: () => Promise<T>) => Promise<T>

/** Runs what it is given, so many at once; the rest waits in line. */
export const bounded = (atOnce: number): Bounded => {
  let running = 0
  const line: (() => void)[] = []
  return async work => {
    if (running < atOnce) running += 1
    else await new Promise<void>(resolve => line.push(resolve))
    try {
      return await work()
    } finally {
      // The place goes to the next in line; only without one is it free.
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}
