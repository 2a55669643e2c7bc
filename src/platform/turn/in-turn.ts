const turns = new Map<string, Promise<unknown>>()

/** One after the other for each key: whoever comes while the same is being done waits, and then finds it done. */
export const inTurn = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
  const turn = (turns.get(key) ?? Promise.resolve()).then(work, work)
  turns.set(key, turn)
  try {
    return await turn
  } finally {
    if (turns.get(key) === turn) turns.delete(key)
  }
}
