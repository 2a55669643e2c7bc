const running = new Map<string, Promise<unknown>>()

/** One after the other for each key: anyone who comes while the same is being done waits, and then finds it done. */
export const inSequence = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  const mine = (running.get(key) ?? Promise.resolve()).then(work, work)
  running.set(key, mine)
  try {
    return await mine
  } finally {
    if (running.get(key) === mine) running.delete(key)
  }
}
